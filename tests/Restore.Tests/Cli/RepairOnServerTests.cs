using Restore.Cli;
using Restore.Tests.FixtureTests;
using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Cli;

/// <summary>A repair of a backup on a server, to which Restore does not write.</summary>
public sealed class RepairOnServerTests(RcloneWebDavServer server) : IClassFixture<RcloneWebDavServer>
{
    private const string Fixture = "no-index";

    [Fact]
    public async Task It_needs_a_folder_for_the_new_index_volumes()
    {
        await server.MakeFolderAsync(Fixture);
        foreach (var file in Directory.GetFiles(FixtureCatalog.BackupsOf(Fixture).First().Location))
        {
            await server.PutAsync(Fixture, Path.GetFileName(file), await File.ReadAllBytesAsync(file, TestContext.Current.CancellationToken));
        }

        using var folder = new TempFolder();
        string[] command = ["repair", server.UrlOf(Fixture, server.Port), .. server.Options.Select(option => $"--{option.Key}={option.Value}")];
        var refused = await CliRun.OfAsync(command);
        Assert.Equal(ExitCodes.Usage, refused.ExitCode);
        Assert.Contains("name a folder for the new index volumes with --index-folder", refused.Error, StringComparison.Ordinal);

        var run = await CliRun.OfAsync([.. command, $"--index-folder={folder.Root}"]);
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Output + run.Error);
        Assert.NotEmpty(Directory.GetFiles(folder.Root, "*.dindex.*"));
    }
}
