using Restore.Cli;
using Restore.Tests.Cli;

namespace Restore.Tests.Restoring;

/// <summary>Files and links at the target that stay although they differ.</summary>
public sealed class KeptAtTargetTests : IDisposable
{
    private static readonly DateTime Time = new(2020, 5, 6, 7, 8, 9, DateTimeKind.Utc);

    private readonly TempFolder folder = new();

    public void Dispose() => folder.Dispose();

    [Theory]
    [InlineData("always", "backup", "backup", "backup", "backup")]
    [InlineData("if-newer", "backup", "mine", "mine", "backup")]
    [InlineData("never", "mine", "mine", "mine", "backup")]
    public async Task Each_word_replaces_what_it_says_and_nothing_gets_another_name(
        string word,
        string older,
        string same,
        string newer,
        string missing
    )
    {
        string store = await BackUpAsync();
        string target = Directory.CreateDirectory(folder.In("target")).FullName;
        Write(target, "older", "mine", Time.AddHours(-1));
        Write(target, "same", "mine", Time.AddMilliseconds(300));
        Write(target, "newer", "mine", Time.AddHours(1));
        CliRun run = await CliRun.OfAsync(store, "--restore-path=" + target, "--overwrite=" + word);
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error + run.Output);
        Assert.Equal(
            [missing, newer, older, same],
            Names(target).Select(name => File.ReadAllText(Path.Join(target, name)))
        );
        Assert.Equal(["missing", "newer", "older", "same"], Names(target));
        int kept = new[] { older, same, newer }.Count(text => text == "mine");
        Assert.Equal(kept > 0, run.Output.Contains("stays", StringComparison.Ordinal));

        // The same again finds the same, and a right file is no kept one.
        CliRun again = await CliRun.OfAsync(
            store,
            "--restore-path=" + target,
            "--overwrite=" + word,
            "--json",
            "--quiet"
        );
        Assert.Equal(ExitCodes.Complete, again.ExitCode);
        Assert.Equal(kept, again.Output.Split("and stays").Length - 1);
    }

    [Fact]
    public async Task Nothing_that_is_kept_is_removed_as_what_the_backup_does_not_have()
    {
        string store = await BackUpAsync();
        string target = Directory.CreateDirectory(folder.In("target")).FullName;
        Write(target, "newer", "mine", Time.AddHours(1));
        Write(target, "extra", "mine", Time);
        CliRun run = await CliRun.OfAsync(
            store,
            "--restore-path=" + target,
            "--overwrite=if-newer",
            "--delete",
            "--yes"
        );
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error + run.Output);
        Assert.Equal(["missing", "newer", "older", "same"], Names(target));
        Assert.Equal("mine", await File.ReadAllTextAsync(Path.Join(target, "newer")));
    }

    [Fact]
    public async Task A_link_that_differs_stays_and_a_right_one_is_right()
    {
        string source = Directory.CreateDirectory(folder.In("source")).FullName;
        File.CreateSymbolicLink(Path.Join(source, "right"), "somewhere");
        File.CreateSymbolicLink(Path.Join(source, "other"), "somewhere");
        File.WriteAllText(Path.Join(source, "file"), "content");
        Assert.Equal(
            ExitCodes.Complete,
            (await CliRun.OfAsync("backup", source, folder.In("backup"), "--no-encryption")).ExitCode
        );
        string target = Directory.CreateDirectory(folder.In("target")).FullName;
        File.CreateSymbolicLink(Path.Join(target, "right"), "somewhere");
        File.CreateSymbolicLink(Path.Join(target, "other"), "elsewhere");
        CliRun run = await CliRun.OfAsync(folder.In("backup"), "--restore-path=" + target, "--overwrite=never");
        Assert.True(run.ExitCode == ExitCodes.Complete, run.Error + run.Output);
        Assert.Equal("elsewhere", new FileInfo(Path.Join(target, "other")).LinkTarget);
        Assert.Equal("somewhere", new FileInfo(Path.Join(target, "right")).LinkTarget);
        Assert.Equal(["file", "other", "right"], Names(target));
        Assert.Single(run.Output.Split('\n'), line => line.Contains("stays", StringComparison.Ordinal));
    }

    private async Task<string> BackUpAsync()
    {
        string source = Directory.CreateDirectory(folder.In("source")).FullName;
        foreach (string name in new[] { "older", "same", "newer", "missing" })
        {
            Write(source, name, "backup", Time);
        }

        CliRun made = await CliRun.OfAsync("backup", source, folder.In("backup"), "--no-encryption");
        Assert.True(made.ExitCode == ExitCodes.Complete, made.Error);
        return folder.In("backup");
    }

    private static void Write(string place, string name, string content, DateTime time)
    {
        File.WriteAllText(Path.Join(place, name), content);
        File.SetLastWriteTimeUtc(Path.Join(place, name), time);
    }

    private static string[] Names(string place) =>
        [
            .. Directory
                .EnumerateFileSystemEntries(place)
                .Select(path => Path.GetFileName(path)!)
                .Order(StringComparer.Ordinal),
        ];
}
