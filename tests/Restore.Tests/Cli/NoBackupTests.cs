using System.Globalization;
using Restore.Cli;
using Restore.Tests.Writing;

namespace Restore.Tests.Cli;

/// <summary>A folder that is no backup.</summary>
public sealed class NoBackupTests
{
    [Fact]
    public async Task The_parent_of_backups_lists_them()
    {
        using var folder = new TempFolder();
        foreach (var name in (string[])["photos", "mail"])
        {
            Directory.CreateDirectory(Path.Combine(folder.Path, "all", name));
            File.WriteAllText(Path.Combine(folder.Path, "all", name, "duplicati-20260101T000000Z.dlist.zip"), "");
        }

        var run = await CliRun.OfAsync("versions", Path.Combine(folder.Path, "all"));
        Assert.Equal(ExitCodes.NotFound, run.ExitCode);
        Assert.Contains(
            $"give one of them: {folder.Path}/all/mail, {folder.Path}/all/photos",
            run.Error,
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData(0, "There is no file in the folder (")]
    [InlineData(1, "The only file in the folder is not a volume of a Duplicati backup (")]
    [InlineData(2, "None of the 2 files in the folder is a volume of a Duplicati backup (")]
    public async Task A_folder_that_is_no_backup_is_described_as_it_is(int files, string message)
    {
        using var folder = new TempFolder();
        Directory.CreateDirectory(Path.Combine(folder.Path, "a folder"));
        for (var i = 0; i < files; i++)
        {
            File.WriteAllText(Path.Combine(folder.Path, $"{i}.txt"), "");
        }

        var run = await CliRun.OfAsync("versions", folder.Path);
        Assert.Equal(ExitCodes.NotFound, run.ExitCode);
        Assert.StartsWith(message, run.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("{0}.txt", false)]
    [InlineData("{0}.bak", true)]
    public async Task Volumes_that_were_renamed_are_named_with_what_to_do(string form, bool isUpper)
    {
        using RoundTrip trip = new();
        await File.WriteAllTextAsync(Path.Join(trip.Source, "a"), "content");
        await trip.WriteAsync(trip.Options);
        Rename("*.dblock.*");
        var some = await CliRun.OfAsync("verify", trip.Destination, "--no-encryption");
        Assert.Equal(ExitCodes.Incomplete, some.ExitCode);
        Assert.Contains("1 file looks like a volume that was renamed: ", some.Output, StringComparison.Ordinal);

        Rename("*.d*.zip");
        var all = await CliRun.OfAsync("versions", trip.Destination);
        Assert.Equal(ExitCodes.NotFound, all.ExitCode);
        Assert.Matches("^3 files look like volumes that were renamed, such as .*; rename them back \\(", all.Error);

        void Rename(string pattern)
        {
            foreach (var file in Directory.GetFiles(trip.Destination, pattern))
            {
                var name = string.Format(CultureInfo.InvariantCulture, form, Path.GetFileName(file));
                File.Move(file, Path.Join(trip.Destination, isUpper ? name.ToUpperInvariant() : name));
            }
        }
    }
}
