using Restore.Cli;
using Restore.Tests.FixtureTests;

namespace Restore.Tests.Reported;

/// <summary>
/// A drill says what a restore to an empty folder would say: the same issues and the same exit
/// code, for every version of every fixture. The variable RESTORE_VERIFY_ALL runs every version in
/// every way; without it each fixture is tried in one way.
/// </summary>
public sealed class VerifyTruthTests
{
    private static readonly TimeSpan MaxTime = TimeSpan.FromSeconds(60);

    private static readonly string[] Ways = ["network", "legacy", "network without memory"];

    public static TheoryData<string, string, int, string> Cases()
    {
        bool isAll = Environment.GetEnvironmentVariable("RESTORE_VERIFY_ALL") is { Length: > 0 };
        TheoryData<string, string, int, string> cases = [];
        int number = 0;
        foreach (
            FixtureBackup backup in FixtureCatalog
                .Readable.Concat(
                    FixtureCatalog.Damaged.Concat(FixtureCatalog.Judged).Distinct().SelectMany(FixtureCatalog.BackupsOf)
                )
                .DistinctBy(backup => (backup.Name, backup.Prefix))
        )
        {
            number++;
            foreach (
                (int version, int way) in from version in backup.Versions
                from way in Enumerable.Range(0, Ways.Length)
                select (version.Index, way)
            )
            {
                if (isAll || (version == number % backup.Versions.Count && way == number % Ways.Length))
                {
                    cases.Add(backup.Name, backup.Prefix, version, Ways[way]);
                }
            }
        }

        return cases;
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public async Task A_drill_reports_what_a_restore_to_an_empty_folder_reports(
        string fixture,
        string prefix,
        int version,
        string way
    )
    {
        FixtureBackup backup = FixtureCatalog.Find(fixture, prefix);
        using TempFolder folder = new();
        RestoreOptions options = new() { Target = folder.Root };
        ExecuteOptions execution = new()
        {
            Legacy = way == "legacy",
            SkipFlush = true,
            Tuning = new RestoreTuning { CacheMaxBytes = way == "network without memory" ? 0 : 1L << 30 },
        };
        string restored = await TellAsync(backup, version, options.With(execution));
        string verified = await TellAsync(backup, version, (options with { VerifyOnly = true }).With(execution));
        Assert.Equal(restored, verified);
    }

    private static async Task<string> TellAsync(FixtureBackup backup, int version, RestoreSetup options)
    {
        try
        {
            RestoreReport report = await FixtureRestore.RunAsync(backup, version, options).WaitAsync(MaxTime);
            string counts =
                $"{report.FilesRestored} files, {report.FoldersRestored} folders, {report.SymlinksRestored} links, {report.BytesRestored} bytes";
            return string.Join(
                '\n',
                report
                    .Issues.Where(IsOfTheBackup)
                    .Select(Line)
                    .Prepend(counts)
                    .Prepend($"exit code {ExitCodes.Of(report)}")
            );
        }
        catch (RestoreException failure)
        {
            return $"exit code {ExitCodes.Of(failure.Kind)}\n{failure.Code}: {failure.Message}";
        }
    }

    /// <summary>
    /// What the target refuses, a drill cannot know. Indexes are read concurrently until all blocks
    /// are located, so which of them are read depends on time.
    /// </summary>
    private static bool IsOfTheBackup(RestoreIssue issue) =>
        (issue.Kind != IssueKind.Metadata || issue.MetadataLost)
        && !issue.Path.Contains(".dindex.", StringComparison.Ordinal);

    private static string Line(RestoreIssue issue) =>
        $"{issue.Kind} {issue.Code} {issue.Path}: {issue.Reason} [{string.Join(' ', issue.LostRanges)}] [{string.Join(' ', issue.Volumes)}]"
        + $"{(issue.MetadataLost ? " metadata" : "")}{(issue.Unverified ? " unverified" : "")}";
}
