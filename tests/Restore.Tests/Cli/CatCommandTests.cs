using Restore.Cli;
using Restore.Tests.FixtureTests;
using Restore.Tests.Support;

namespace Restore.Tests.Cli;

/// <summary>One file to the standard output.</summary>
public sealed class CatCommandTests
{
    private static readonly FixtureBackup Backup = FixtureCatalog.BackupsOf("blocklists-1kb").Single();

    [Theory]
    [InlineData(0, null)]
    [InlineData(0, 10)]
    [InlineData(1500, 3000)]
    [InlineData(5, 0)]
    [InlineData(1_000_000_000, 5)]
    public async Task The_bytes_of_a_range_are_written_and_nothing_else(int offset, int? count)
    {
        var file = ExpectedTree
            .Load(Backup.Versions[0].ExpectedFile!)
            .Entries.Where(entry => entry.Type == "file")
            .MaxBy(entry => entry.SizeBytes)!;
        using var folder = new TempFolder();
        await FixtureRestore.RunAsync(Backup, 0, new RestoreOptions { Target = folder.Root });
        var content = await File.ReadAllBytesAsync(Path.Combine(folder.Root, file.Path));

        string[] options = count is null ? [$"--offset={offset}b"] : [$"--offset={offset}b", $"--count={count}b"];
        (var run, var output) = await CatAsync([Backup.Location, Backup.OriginalPath(file.Path), .. options]);
        Assert.Equal((ExitCodes.Complete, "", ""), (run.ExitCode, run.Output, run.Error));
        Assert.Equal(content.Skip(offset).Take(count ?? int.MaxValue), output);
    }

    [Fact]
    public async Task A_folder_a_missing_file_and_no_file_are_errors_of_their_own()
    {
        (var folder, _) = await CatAsync(Backup.Location, Backup.SourceRoot);
        Assert.Equal(ExitCodes.NotFound, folder.ExitCode);
        Assert.Contains("is a folder or a link", folder.Error, StringComparison.Ordinal);
        (var missing, _) = await CatAsync(Backup.Location, "/no/such/file");
        Assert.Equal(ExitCodes.NotFound, missing.ExitCode);
        (var none, _) = await CatAsync(Backup.Location);
        Assert.Equal(ExitCodes.Usage, none.ExitCode);
    }

    [Fact]
    public async Task A_name_is_enough_if_one_file_has_it_and_else_the_paths_are_listed()
    {
        var files = ExpectedTree
            .Load(Backup.Versions[0].ExpectedFile!)
            .Entries.Where(entry => entry.Type == "file")
            .GroupBy(entry => Path.GetFileName(entry.Path))
            .Where(same => same.Key.All(letter => char.IsAsciiLetterOrDigit(letter) || letter is '.' or '-'))
            .ToList();
        var only = files.First(same => same.Count() == 1).Single();
        (var byName, var output) = await CatAsync(Backup.Location, Path.GetFileName(only.Path));
        (_, var expected) = await CatAsync(Backup.Location, Backup.OriginalPath(only.Path));
        Assert.Equal((ExitCodes.Complete, ""), (byName.ExitCode, byName.Error));
        Assert.Equal(expected, output);

        (var several, var nothing) = await CatAsync(Backup.Location, "?*");
        Assert.Contains("\n  /", several.Error, StringComparison.Ordinal);
        Assert.Equal(ExitCodes.NotFound, several.ExitCode);
        Assert.Contains("; give the path of one\n", several.Error, StringComparison.Ordinal);
        Assert.Empty(nothing);
    }

    [Fact]
    public async Task Lost_bytes_end_with_exit_code_2_after_the_bytes_before()
    {
        var damaged = FixtureCatalog.BackupsOf("damaged/blocklist-lost-plain").Single();
        (var run, var output) = await CatAsync(damaged.Location, damaged.OriginalPath("mail/archive-v2"));
        Assert.Equal(ExitCodes.Incomplete, run.ExitCode);
        Assert.Contains("in no volume that can be read", run.Error, StringComparison.Ordinal);
        Assert.Equal(32768, output.Length);
    }

    [Fact]
    public async Task An_output_that_takes_nothing_more_is_the_fault_of_the_target_and_not_of_the_backup()
    {
        var file = ExpectedTree
            .Load(Backup.Versions[0].ExpectedFile!)
            .Entries.Where(entry => entry.Type == "file")
            .MaxBy(entry => entry.SizeBytes)!;
        var run = await CliRun.OfAsync(
            environment => environment with { OpenOutput = () => new FullOutput() },
            "cat",
            Backup.Location,
            Backup.OriginalPath(file.Path)
        );
        Assert.Equal(ExitCodes.TargetNotWritable, run.ExitCode);
        Assert.StartsWith("The file cannot be written (No space left on device)", run.Error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_file_gets_the_bytes_and_one_that_is_there_stays_as_it_is()
    {
        var file = ExpectedTree
            .Load(Backup.Versions[0].ExpectedFile!)
            .Entries.Where(entry => entry.Type == "file")
            .MaxBy(entry => entry.SizeBytes)!;
        using var folder = new TempFolder();
        Directory.CreateDirectory(folder.Root);
        var place = Path.Combine(folder.Root, "copy");
        var original = Backup.OriginalPath(file.Path);

        (var run, var output) = await CatAsync(Backup.Location, original, $"--output={place}");
        (_, var expected) = await CatAsync(Backup.Location, original);
        Assert.Equal((ExitCodes.Complete, "", ""), (run.ExitCode, run.Output, run.Error));
        Assert.Empty(output);
        Assert.Equal(expected, await File.ReadAllBytesAsync(place));

        (var again, _) = await CatAsync(Backup.Location, original, $"--output={place}", "--count=1b");
        Assert.NotEqual(ExitCodes.Complete, again.ExitCode);
        Assert.Contains("exists already", again.Error, StringComparison.Ordinal);
        Assert.Equal(expected, await File.ReadAllBytesAsync(place));
    }

    private sealed class FullOutput : OutputStream
    {
        public override void Write(ReadOnlySpan<byte> buffer) => throw new IOException("No space left on device", 28);
    }

    private static async Task<(CliRun Run, byte[] Output)> CatAsync(params string[] arguments)
    {
        using var output = new MemoryStream();
        var run = await CliRun.OfAsync(
            environment => environment with { OpenOutput = () => output },
            ["cat", .. arguments]
        );
        return (run, output.ToArray());
    }
}
