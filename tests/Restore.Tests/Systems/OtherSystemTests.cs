using System.Globalization;
using System.Text.RegularExpressions;
using Restore.Cli;
using Restore.Tests.Cli;
using Restore.Tests.FixtureTests;

namespace Restore.Tests.Systems;

/// <summary>
/// The program for another system restores all fixtures, looks into them and keeps backups, and its
/// results are those of this system.
/// </summary>
public abstract partial class OtherSystemTests
{
    private const string Link = "symlink";

    private readonly OtherProgram program;

    private protected OtherSystemTests(OtherProgram program) => this.program = program;

    public static TheoryData<string, string> Intact() =>
        new(
            FixtureCatalog
                .Intact.Where(name => name != FixtureCatalog.Gpg)
                .SelectMany(FixtureCatalog.BackupsOf)
                .Where(backup => backup.Versions.Count > 0)
                .Select(backup => (backup.Name, backup.Prefix))
        );

    public static TheoryData<string> Others() => [.. FixtureCatalog.Names.Except(FixtureCatalog.Intact)];

    [Theory]
    [MemberData(nameof(Intact))]
    public async Task A_fixture_restores_to_what_its_source_was(string fixture, string prefix)
    {
        FixtureBackup backup = FixtureCatalog.Find(fixture, prefix);
        ExpectedTree expected = ExpectedTree.Load(backup.Versions[0].ExpectedFile!);
        using TempFolder folder = new();
        ProgramResult run = await program.RunAsync([
            .. Restoring(backup, folder),
            .. await LeaveOutAsync(backup, expected, folder),
        ]);

        int code = fixture == "windows-paths" ? ExitCodes.Incomplete : ExitCodes.Complete;
        Assert.True(run.ExitCode == code, Said(run));
        TreeChecks checks = program.IsWindows ? backup.Checks & (TreeChecks.Times | TreeChecks.Root) : backup.Checks;
        string[] differences =
        [
            .. RestoredTree.Differences(
                There(expected),
                RestoredTree.Read(folder.Root),
                checks,
                backup.Skipped.Contains
            ),
        ];
        Assert.True(differences.Length == 0, $"{string.Join('\n', differences.Take(20))}\n{Said(run)}");
    }

    [Theory]
    [MemberData(nameof(Others))]
    public async Task A_damaged_or_hostile_fixture_restores_to_what_it_does_here(string fixture)
    {
        FixtureBackup backup = FixtureCatalog.BackupsOf(fixture).Single();
        ExpectedTree? expected = backup.Versions[0].ExpectedFile is { } file ? ExpectedTree.Load(file) : null;
        using TempFolder folder = new();
        string[] leftOut = await LeaveOutAsync(backup, expected, folder);
        ProgramResult run = await program.RunAsync([.. Restoring(backup, folder), .. leftOut]);
        using TempFolder second = new();
        CliRun here = await CliRun.OfAsync([.. Restoring(backup, second, here: true), .. leftOut.Select(ToHere)]);

        Assert.True(run.ExitCode == here.ExitCode, $"{Said(run)}\nHere: {here.ExitCode}\n{here.Output}{here.Error}");
        Assert.Equal(Directory.Exists(second.Root), Directory.Exists(folder.Root));
        if (Directory.Exists(folder.Root))
        {
            // What is damaged, and a folder that the backup does not have, keep the time at which
            // they were made.
            DateTimeOffset newest = BackupTimeOf(backup.Versions[0]);
            IEnumerable<TreeEntry> expectedThere = RestoredTree
                .Read(second.Root)
                .Values.Where(entry => !program.IsWindows || entry.Type != Link)
                .Select(entry => entry with { Path = NameThere(entry.Path) });
            Assert.Equal(
                expectedThere.Select(entry => Comparable(entry, newest)).OrderBy(entry => entry.Path),
                RestoredTree
                    .Read(folder.Root)
                    .Values.Select(entry => Comparable(entry, newest))
                    .OrderBy(entry => entry.Path)
            );
        }
    }

    private protected static string Said(ProgramResult run) => $"exit code {run.ExitCode}\n{run.Output}{run.Error}";

    private static IEnumerable<TreeEntry> Possible(ExpectedTree expected) =>
        expected
            .Entries.GroupBy(entry => entry.Path, StringComparer.OrdinalIgnoreCase)
            .Where(names => names.Count() == 1)
            .Select(names => names.Single())
            .Where(entry => entry.Type != Link);

    /// <summary>The command line that restores the newest version.</summary>
    private string[] Restoring(FixtureBackup backup, TempFolder folder, bool here = false)
    {
        Func<string, string> path = here ? path => path : program.PathOf;
        string? passphrase = backup.Options().Passphrase;
        return
        [
            path(backup.Location),
            $"--restore-path={path(folder.Root)}",
            $"--prefix={backup.Prefix}",
            "--allow-restore-outside-target-directory",
            .. program.IsWindows ? Array.Empty<string>() : ["--restore-permissions"],
            .. passphrase is null ? Array.Empty<string>() : [$"--passphrase={passphrase}"],
        ];
    }

    /// <summary>
    /// Wine has no links, and Windows not two names that differ only in their case.
    /// </summary>
    private async Task<string[]> LeaveOutAsync(FixtureBackup backup, ExpectedTree? expected, TempFolder folder)
    {
        if (!program.IsWindows || expected is null)
        {
            return [];
        }

        string[] leftOut = [.. expected.Entries.Except(Possible(expected)).Select(entry => entry.Path)];
        string list = Path.Combine(folder.Path, "left-out");
        await File.WriteAllLinesAsync(
            list,
            leftOut.SelectMany(path => new[] { "", "/" }.Select(end => $"@{backup.OriginalPath(path)}{end}"))
        );
        return leftOut.Length == 0 ? [] : [$"--exclude-from={program.PathOf(list)}"];
    }

    /// <summary>The expected entries as the other system can have them.</summary>
    private ExpectedTree There(ExpectedTree expected) =>
        program.IsWindows
            ? expected with
            {
                Entries = [.. Possible(expected).Select(entry => entry with { Path = NameThere(entry.Path) })],
            }
            : expected;

    private string NameThere(string path) =>
        !program.IsWindows || path == "."
            ? path
            : string.Join(
                '/',
                path.Split('/').Select(name => Forbidden().Replace(name, match => $"%{(int)match.Value[0]:X2}"))
            );

    private TreeEntry Comparable(TreeEntry entry, DateTimeOffset newest)
    {
        TreeEntry dated =
            entry.ModifiedTicks > (newest - DateTimeOffset.UnixEpoch).Ticks
                ? entry with
                {
                    ModifiedTicks = null,
                }
                : entry;
        return program.IsWindows ? dated with { Mode = null, Owner = null, Attributes = null } : dated;
    }

    private static DateTimeOffset BackupTimeOf(FixtureVersion version) =>
        DateTimeOffset.ParseExact(
            ListTime().Match(version.FileListName).Value,
            "yyyyMMdd'T'HHmmss'Z'",
            CultureInfo.InvariantCulture,
            DateTimeStyles.AssumeUniversal
        );

    [GeneratedRegex(@"\d{8}T\d{6}Z")]
    private static partial Regex ListTime();

    private string ToHere(string option) => option.Replace("=Z:", "=", StringComparison.Ordinal).Replace('\\', '/');

    [GeneratedRegex("""[\x00-\x1f<>:"\\|?*]|[. ]$|^(?i:[cpanl](?=(?:on|rn|ux|ul)(?:\.|$)))""")]
    private static partial Regex Forbidden();
}
