using Restore.Cli;
using Restore.Ends;
using Restore.Tests.FixtureTests;

namespace Restore.Tests.Reported;

/// <summary>
/// Few open files, and a user with few rights: what can be restored is restored, and the rest is
/// reported.
/// </summary>
public sealed class LimitsTests
{
    private const string Fixture = "aes-100kb";

    private static string[] Arguments(TempFolder folder, string location) =>
        [
            location,
            $"--passphrase={Fixtures.Info(Fixture).GetProperty("passphrase").GetString()}",
            $"--restore-path={folder.Root}",
            "--restore-cache-max=0b",
            "--allow-restore-outside-target-directory",
        ];

    /// <summary>
    /// All entries are open at once without a place in memory, so that files and folders compete
    /// for handles.
    /// </summary>
    [Theory]
    [InlineData(128)]
    [InlineData(200)]
    public async Task A_low_limit_of_open_files_loses_nothing(int limit)
    {
        using TempFolder folder = new();
        ShellRun run = await ShellRun.WithOpenFilesAsync(limit, Arguments(folder, Fixtures.Backup(Fixture)));
        Assert.True(run.ExitCode == ExitCodes.Complete, $"{run.ExitCode}: {run.Text}");
        Assert.DoesNotContain("too many files", run.Text, StringComparison.Ordinal);
        RestoredTree.AssertEqual(
            Path.Combine(Fixtures.Folder(Fixture), "expected-0.json"),
            folder.Root,
            TreeChecks.Content
        );
    }

    [Theory]
    [InlineData(90)]
    [InlineData(120)]
    public async Task A_limit_that_is_too_low_is_a_clear_error_before_anything_is_written(int limit)
    {
        using TempFolder folder = new();
        ShellRun run = await ShellRun.WithOpenFilesAsync(limit, Arguments(folder, Fixtures.Backup(Fixture)));
        Assert.Equal(ExitCodes.Failed, run.ExitCode);
        Assert.Equal(
            $"The limit of open files is {limit}; a restore needs 128\nRaise the limit (ulimit -n) and run it again\n",
            run.Text
        );
        Assert.False(Directory.Exists(folder.Root));
    }

    /// <summary>The runtime needs about 70 to start; with fewer it ends itself.</summary>
    [Theory]
    [InlineData(40)]
    [InlineData(64)]
    public async Task A_limit_that_is_too_low_for_the_runtime_ends_it_before_anything_is_written(int limit)
    {
        using TempFolder folder = new();
        ShellRun run = await ShellRun.WithOpenFilesAsync(limit, Arguments(folder, Fixtures.Backup(Fixture)));
        Assert.NotEqual(ExitCodes.Complete, run.ExitCode);
        Assert.False(Directory.Exists(folder.Root));
    }

    [Theory]
    [InlineData(int.MaxValue, 256, 64)]
    [InlineData(900, 112, 56)]
    [InlineData(40, 5, 2)]
    [InlineData(0, 2, 1)]
    public void Most_handles_stay_free(int spare, int folders, int entries)
    {
        Assert.Equal(folders, OpenHandles.Folders(spare, 256));
        Assert.Equal(entries, OpenHandles.Entries(spare, processes: 2, most: 64));
        Assert.InRange(OpenHandles.Spare(), 1, int.MaxValue);
    }

    [Fact]
    [System.Runtime.Versioning.UnsupportedOSPlatform("windows")]
    public async Task A_user_without_rights_gets_what_he_may_write_and_the_rest_is_refused_one_by_one()
    {
        Assert.SkipUnless(Environment.IsPrivilegedProcess, "Only the root user can become another user.");
        using TempFolder folder = new();
        Directory.CreateDirectory(folder.In("docs"));
        File.SetUnixFileMode(folder.Path, (UnixFileMode)0b111_101_101);
        File.SetUnixFileMode(folder.Root, (UnixFileMode)0b111_111_111);
        File.SetUnixFileMode(folder.In("docs"), (UnixFileMode)0b111_101_101);
        string[] arguments = [.. Arguments(folder, Fixtures.Backup(Fixture)), "--json"];
        ShellRun probe = await ShellRun.OfAsync("setpriv", AsNobody(ShellRun.Program, ["--version"]));
        Assert.SkipUnless(probe.ExitCode == 0, "Another user may not read the program.");
        ShellRun run = await ShellRun.OfAsync("setpriv", AsNobody(ShellRun.Program, arguments));

        Assert.True(run.ExitCode == ExitCodes.Incomplete, $"{run.ExitCode}: {run.Text}");
        // A slow run also has progress, on the error stream.
        using var report = System.Text.Json.JsonDocument.Parse(
            run.Text.Split('\n').First(line => line.Contains("\"issues\"", StringComparison.Ordinal))
        );
        string[] refused =
        [
            .. from issue in report.RootElement.GetProperty("issues").EnumerateArray()
            where issue.GetProperty("kind").GetString() == "refused"
            select issue.GetProperty("path").GetString(),
        ];
        string[] expected =
        [
            .. from entry in ExpectedTree.Load(Path.Combine(Fixtures.Folder(Fixture), "expected-0.json")).Entries
            where entry.Path.StartsWith("docs/", StringComparison.Ordinal)
            select $"/tmp/fx/src/{Fixture}/data/{entry.Path}",
        ];
        Assert.NotEmpty(expected);
        Assert.Equal(
            expected.Order(StringComparer.Ordinal),
            refused.Select(path => path.TrimEnd('/')).Order(StringComparer.Ordinal)
        );
        Assert.True(Directory.EnumerateFiles(folder.Root, "*", SearchOption.AllDirectories).Any());
    }

    private static string[] AsNobody(string[] program, string[] arguments) =>
        ["--reuid=65534", "--regid=65534", "--clear-groups", .. program, .. arguments];
}
