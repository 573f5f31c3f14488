using Restore.Cli;
using Restore.Tests.FixtureTests;
using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Cli;

/// <summary>A repair of a backup on a server.</summary>
[Trait("Suite", "server")]
public sealed class RepairOnServerTests(RcloneWebDavServer server) : IClassFixture<RcloneWebDavServer>
{
    private const string Fixture = "no-index";

    [Fact]
    public async Task The_new_index_volumes_go_to_the_server_or_to_a_folder()
    {
        await server.MakeFolderAsync(Fixture);
        foreach (var file in Directory.GetFiles(FixtureCatalog.BackupsOf(Fixture).First().Location))
        {
            await server.PutAsync(
                Fixture,
                Path.GetFileName(file),
                await File.ReadAllBytesAsync(file, TestContext.Current.CancellationToken)
            );
        }

        using var folder = new TempFolder();
        string[] command =
        [
            "repair",
            server.UrlOf(Fixture, server.Port),
            .. server.Options.Select(option => $"--{option.Key}={option.Value}"),
        ];
        var run = await CliRun.OfAsync([.. command, $"--index-folder={folder.Root}"]);
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Output + run.Error);
        string[] made = Directory.GetFiles(folder.Root, "*.dindex*");
        Assert.NotEmpty(made);

        await server.MakeWritableFolderAsync(Fixture);
        run = await CliRun.OfAsync(command);
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Output + run.Error);
        Assert.Equal(made.Length, Directory.GetFiles(Path.Combine(server.Root, Fixture), "*.dindex*").Length);
    }
}
