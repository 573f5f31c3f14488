using Restore.Cli;
using Restore.Cli.Options;

namespace Restore.Tests.Cli;

/// <summary>Duplicati's files with options.</summary>
public sealed class ParametersFileTests : IDisposable
{
    private readonly TempFolder folder = new();

    private string File => Path.Combine(folder.Path, "options");

    [Theory]
    [InlineData("--parameters-file={0}")]
    [InlineData("--parameter-file=\"{0}\"")]
    [InlineData("--parameters-file", "{0}")]
    public void Its_options_take_precedence_and_comments_do_not_count(params string[] option)
    {
        Write(
            "# passphrase of the disk",
            "",
            "--passphrase=\"correct horse\"",
            "  --version=2",
            "--OVERWRITE",
            "--number-of-retries=7"
        );
        var named = option.Select(text => text.Replace("{0}", File, StringComparison.Ordinal));
        var request = CliRun.Request(["/backup", "--version=1", .. named, "--overwrite=no"]);
        Assert.Equal(("/backup", 2, "correct horse"), (request.Storage, request.Version, request.Backup.Passphrase));
        Assert.True(request.Restore.Overwrite);
        Assert.Equal("7", request.Backup.StoreOptions["number-of-retries"]);
        Assert.Empty(request.Operands);
    }

    [Theory]
    [InlineData("restore-path=/secret")]
    [InlineData("dry-run")]
    [InlineData("-restore-path=/secret")]
    [InlineData("-t /secret")]
    [InlineData("\"--restore-path=/secret\"")]
    [InlineData("\u2013-restore-path=/secret")]
    [InlineData("\u2212\u2212restore-path=/secret")]
    [InlineData("\u200b--restore-path=/secret")]
    [InlineData("target: /secret")]
    [InlineData("--restore-path=/secret --overwrite")]
    public async Task A_line_that_is_no_option_is_a_usage_error(string line)
    {
        Write("--version=2", line);
        CliRun run = await CliRun.OfAsync(Fixtures.Backup("plain-1mb"), "--dry-run", $"--parameters-file={File}");
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.Contains("line 2", run.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("secret", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public void Its_target_is_the_storage_and_its_source_has_no_effect()
    {
        Write("--target=file:///other", "--source=/home");
        Assert.Equal(
            "file:///other",
            CliRun.Request("restore", "file:///backup", "notes.txt", $"--parameters-file={File}").Storage
        );
        var alone = CliRun.Request("restore", $"--parameters-file={File}");
        Assert.Equal(("file:///other", 0, null), (alone.Storage, alone.Operands.Count, alone.Restore.Target));
    }

    [Fact]
    public void Its_sources_and_its_target_are_those_of_a_backup()
    {
        Write("--source=/home/ann", "--target=file:///other", "--source=/home/ben");
        Assert.Equal(
            ["/home/ann", "/home/ben", "file:///other"],
            CliRun.Request("backup", $"--parameters-file={File}").Operands
        );
        Assert.Equal(
            ["/home/ann", "/home/ben", "/etc"],
            CliRun.Request("test-filters", "/etc", $"--parameters-file={File}").Operands
        );
        Write("--source=/home/ann");
        Assert.Equal(
            ["/home/ann", "/mnt/backup"],
            CliRun.Request("backup", "/mnt/backup", $"--parameters-file={File}").Operands
        );
    }

    [Fact]
    public async Task Its_target_never_takes_the_place_of_a_source()
    {
        Write($"--target={folder.Path}/other");
        var run = await CliRun.OfAsync("backup", folder.Path, $"--parameters-file={File}");
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.Contains("--target in such a file cannot be used here", run.Error, StringComparison.Ordinal);
        Assert.False(Directory.Exists($"{folder.Path}/other"));
    }

    [Theory]
    [InlineData("--replace-filter=-*.tmp;+*.txt", "-*.tmp +*.txt")]
    [InlineData("--prepend-filter=-*.tmp;+*.txt", "-*.tmp +*.txt +a")]
    [InlineData("--append-filter=-*.tmp;+*.txt", "+a -*.tmp +*.txt")]
    public void It_changes_the_filters_of_the_command_line(string line, string expected)
    {
        Write(line.Replace(';', Path.PathSeparator));
        var rules = CliRun.Request("/backup", $"--parameters-file={File}", "--include", "a").Rules;
        Assert.Equal(expected, string.Join(' ', rules.Select(rule => (rule.Include ? "+" : "-") + rule.Expression)));
    }

    [Fact]
    public void Filters_of_its_own_keep_their_order()
    {
        Write("--exclude=*.tmp", "--include=*.txt");
        Assert.Equal(
            ["*.tmp", "*.txt"],
            CliRun.Request("/backup", $"--parameters-file={File}").Rules.Select(rule => rule.Expression)
        );
    }

    [Theory]
    [InlineData("--include=a", "filters are in ")]
    [InlineData("--append-filter=a", "--append-filter: 'a' begins neither with + nor with -")]
    [InlineData("--parameters-file=/other", "names another such file")]
    [InlineData("--nonsense=1", "--nonsense is not an option")]
    [InlineData("--restore-path=/out\0--overwrite", "--restore-path: the value has a NUL character in it")]
    public async Task What_it_cannot_have_is_a_usage_error(string line, string sentence)
    {
        Write(line);
        var run = await CliRun.OfAsync("/backup", "--include=b", $"--parameters-file={File}");
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.Contains(sentence, run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_file_that_is_missing_is_a_usage_error()
    {
        var run = await CliRun.OfAsync("/backup", "--parameters-file=/no/such/file");
        Assert.Equal(ExitCodes.Usage, run.ExitCode);
        Assert.StartsWith("--parameters-file: /no/such/file cannot be read (", run.Error, StringComparison.Ordinal);
        var parsed = CommandLine.Parse(
            ["/backup", "--", "--parameters-file=/no/such/file"],
            CliRun.Commands(),
            CliRun.Environment()
        );
        Assert.Empty(parsed.Errors);
    }

    public void Dispose() => folder.Dispose();

    private void Write(params string[] lines) => System.IO.File.WriteAllLines(File, lines);
}
