using Restore.Cli;

namespace Restore.Tests.Cli;

/// <summary>
/// A passphrase that is given for the first time can be typed at any prompt; an existing one is as
/// it is.
/// </summary>
public sealed class NewPassphraseTests : IDisposable
{
    private readonly TempFolder folder = new();

    private string Destination => Path.Join(folder.Path, "backup");

    public void Dispose() => folder.Dispose();

    [Theory]
    [InlineData("secret\n\n")]
    [InlineData("secret\r\n\r\n")]
    [InlineData("secret\nnotes\n")]
    [InlineData("\nsecret")]
    [InlineData("sec\tret")]
    [InlineData("secret\u001b")]
    [InlineData("sec\u2028ret")]
    public async Task A_new_backup_is_refused_with_a_control_character_in_its_passphrase(string text)
    {
        var run = await BackUpAsync(text);
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.Contains(
            "There is no backup yet, and the new passphrase has a line break or another control character",
            run.Error,
            StringComparison.Ordinal
        );
        Assert.False(Directory.Exists(Destination) && Directory.EnumerateFiles(Destination).Any());
    }

    [Theory]
    [InlineData("secret\n")]
    [InlineData("secret\r\n")]
    [InlineData("secret")]
    public async Task One_line_break_at_the_end_of_the_file_is_none_of_the_passphrase(string text)
    {
        Assert.Equal(ExitCodes.Complete, (await BackUpAsync(text)).ExitCode);
        var run = await CliRun.OfAsync("versions", Destination, "--passphrase=secret");
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
    }

    [Fact]
    public async Task Of_several_lines_that_do_not_open_a_backup_the_first_is_tried()
    {
        Assert.Equal(ExitCodes.Complete, (await BackUpAsync("secret")).ExitCode);
        foreach (var text in new[] { "secret\n\n", "secret\r\nnotes of a password manager\r\n" })
        {
            var run = await CliRun.OfAsync("versions", Destination, $"--passphrase-file={FileOf(text)}");
            Assert.Equal(ExitCodes.Complete, run.ExitCode);
            Assert.Contains(
                "The passphrase does not open the backup, so its first line is tried\n",
                run.Error,
                StringComparison.Ordinal
            );
            Assert.Equal(ExitCodes.Complete, (await BackUpAsync(text)).ExitCode);
        }

        var wrong = await CliRun.OfAsync("versions", Destination, $"--passphrase-file={FileOf("other\nsecret\n")}");
        Assert.Equal(ExitCodes.WrongPassphrase, wrong.ExitCode);
    }

    [Fact]
    public async Task An_existing_backup_opens_with_all_lines_of_its_passphrase()
    {
        using var made = new Trust.MadeBackup { Passphrase = "two\nlines" };
        made.File("/data/file", "content"u8.ToArray());
        made.Write();
        var run = await CliRun.OfAsync("versions", made.Source, $"--passphrase-file={FileOf("two\nlines\n")}");
        Assert.Equal(ExitCodes.Complete, run.ExitCode);
        Assert.DoesNotContain("first line", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_new_passphrase_with_a_line_break_changes_nothing()
    {
        Assert.Equal(ExitCodes.Complete, (await BackUpAsync("secret")).ExitCode);
        var before = Directory.GetFiles(Destination).Order().ToArray();
        var run = await CliRun.OfAsync(
            "repair",
            Destination,
            "--passphrase=secret",
            $"--new-passphrase-file={FileOf("new\n\n")}",
            "--yes"
        );
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.Contains(
            "The new passphrase has a line break or another control character, so nothing was changed",
            run.Error,
            StringComparison.Ordinal
        );
        Assert.Equal(before, Directory.GetFiles(Destination).Order());
    }

    private Task<CliRun> BackUpAsync(string text)
    {
        var source = Directory.CreateDirectory(Path.Join(folder.Path, "source")).FullName;
        File.WriteAllText(Path.Join(source, "file"), text);
        return CliRun.OfAsync("backup", source, Destination, $"--passphrase-file={FileOf(text)}");
    }

    private string FileOf(string text)
    {
        var file = Path.Join(folder.Path, "secret");
        File.WriteAllText(file, text);
        return file;
    }
}
