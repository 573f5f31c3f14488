using Restore.Cli;

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
        Assert.Contains($"give one of them: {folder.Path}/all/mail, {folder.Path}/all/photos", run.Error, StringComparison.Ordinal);
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
}
