using System.Text.Json;

namespace Restore.Tests.FixtureTests;

/// <summary>
/// Backups made to do harm: nothing outside of the target is touched, the sound entries come back,
/// the others are reported, time and memory stay bounded.
/// </summary>
[Collection(nameof(Alone))]
public sealed class HostileFixtureTests
{
    private const long MaxGrowthBytes = 400L << 20;

    private static readonly TimeSpan MaxTime = TimeSpan.FromSeconds(60);

    /// <summary>
    /// Fixture, version, flow, and whether links to places outside are made, which is what writing
    /// through them would need.
    /// </summary>
    public static TheoryData<string, int, Flow, bool> Cases()
    {
        TheoryData<string, int, Flow, bool> cases = [];
        foreach (
            (string name, int version) in from name in FixtureCatalog.Judged
            from version in FixtureCatalog.BackupsOf(name).Single().Versions
            select (name, version.Index)
        )
        {
            cases.Add(name, version, Flow.Network, false);
            cases.Add(name, version, Flow.Network, true);
            cases.Add(name, version, Flow.Legacy, true);
        }

        return cases;
    }

    [Theory]
    [MemberData(nameof(Cases))]
    public async Task Nothing_outside_is_touched_and_all_that_is_sound_comes_back(
        string fixture,
        int version,
        Flow flow,
        bool withLinksOutside
    )
    {
        FixtureBackup backup = FixtureCatalog.BackupsOf(fixture).Single();
        FixtureVersion chosen = backup.Versions[version];
        Verdict verdict = Verdict.Parse(chosen.Outcome ?? backup.Info.GetProperty("outcome").GetString()!);
        using Surroundings surroundings = Surroundings.Make();
        string[] original = [.. ExistingOriginals(backup)];
        PeakMemory peak = new();
        RestoreReport? report = null;
        try
        {
            RestoreSetup options = (
                FixtureRestore.Whole(surroundings.Target) with
                {
                    AllowRestoreOutsideTargetDirectory = withLinksOutside,
                }
            ).By(flow);
            report = await FixtureRestore.RunAsync(backup, version, options).WaitAsync(MaxTime);
        }
        catch (RestoreException failure)
        {
            Assert.True(verdict.MayBeRefused, failure.ToString());
            Assert.Contains(chosen.FileListName, failure.Message, StringComparison.Ordinal);
            Assert.False(failure.What.EndsWith('.'), failure.What);
        }

        Assert.InRange(peak.GrowthBytes, long.MinValue, MaxGrowthBytes);
        surroundings.AssertUntouched();
        Assert.Equal(original, ExistingOriginals(backup));
        if (report is not null)
        {
            AssertAsJudged(backup, chosen, verdict, report, surroundings.Target);
        }
    }

    private static void AssertAsJudged(
        FixtureBackup backup,
        FixtureVersion version,
        Verdict verdict,
        RestoreReport report,
        string target
    )
    {
        Assert.All(report.Issues, issue => Assert.False(issue.Reason.EndsWith('.'), issue.Reason));

        // The verdicts are those of a program that makes links to outside.
        bool isWhole = report.Issues.All(issue =>
            issue.Kind is IssueKind.Warning or IssueKind.Metadata || issue.Code == IssueCode.LinkOutsideTarget
        );
        bool isAllowed = isWhole
            ? verdict.MayBeComplete || verdict.IsEmpty || report.Issues.Count > 0
            : verdict.MayBePartial;
        Assert.True(isAllowed, $"The report says:\n{Issues.Text(report)}");
        ExpectedTree? expected = version.ExpectedFile is null
            ? null
            : ExpectedTree.Load(version.ExpectedFile) with
            {
                IsComplete = false,
            };
        string[] differences = expected is null
            ? []
            :
            [
                .. RestoredTree.Differences(
                    expected,
                    RestoredTree.Read(target),
                    backup.Checks & ~TreeChecks.Root,
                    path => IsLinkLeftOut(backup, report, path)
                ),
            ];
        Assert.True(
            differences.Length == 0,
            $"{string.Join('\n', differences)}\nThe report says:\n{Issues.Text(report)}"
        );
        if (version.Outcome is not null)
        {
            return;
        }

        foreach (JsonElement refused in backup.Info.GetProperty("refuse").EnumerateArray())
        {
            AssertRefused(
                backup,
                refused.GetProperty("path").GetString()!,
                refused.GetProperty("class").GetString()!,
                report,
                target
            );
        }

        foreach (JsonElement either in backup.Info.GetProperty("either").EnumerateArray())
        {
            AssertThereOrReported(backup, either.GetProperty("path").GetString()!, report, target);
        }
    }

    private static bool IsLinkLeftOut(FixtureBackup backup, RestoreReport report, string path) =>
        report.Issues.Any(issue =>
            issue.Code == IssueCode.LinkOutsideTarget && issue.Path == backup.OriginalPath(path)
        );

    private static void AssertRefused(
        FixtureBackup backup,
        string path,
        string kind,
        RestoreReport report,
        string target
    )
    {
        // An entry without a path is reported by its number.
        RestoreIssue? issue = report.Issues.FirstOrDefault(issue =>
            issue.Kind is IssueKind.Refused or IssueKind.Missing or IssueKind.Damaged
            && (path.Length == 0 ? issue.Path.StartsWith("entry ", StringComparison.Ordinal) : issue.Path == path)
        );
        Assert.True(issue is not null, $"'{path}' is not reported. The report says:\n{Issues.Text(report)}");
        string relative = backup.RelativePath(path);
        bool isPlain =
            relative != path
            && !relative.Contains('\0', StringComparison.Ordinal)
            && !relative.Split('/').Any(part => part is "" or "." or "..");
        if (isPlain && kind != "duplicate" && issue.LostRanges.Count == 0 && !issue.Unverified)
        {
            Assert.False(Path.Exists(Path.Combine(target, relative)), $"{path} is at the target: {issue.Reason}");
        }
    }

    private static void AssertThereOrReported(FixtureBackup backup, string path, RestoreReport report, string target)
    {
        // In the fixture's own text a lone surrogate is written as an escape.
        string original = path.Replace("\\ud83d", "\uFFFD", StringComparison.Ordinal);
        string place = Path.Combine(target, backup.RelativePath(original));
        bool isThere = Path.Exists(place) || new FileInfo(place).LinkTarget is not null;
        bool isReported = report.Issues.Any(issue => issue.Path.StartsWith(original, StringComparison.Ordinal));
        Assert.True(
            isThere || isReported,
            $"{path} is neither restored nor reported. The report says:\n{Issues.Text(report)}"
        );
    }

    /// <summary>
    /// Which of the original places exist: a restore into a folder never makes one.
    /// </summary>
    private static IEnumerable<string> ExistingOriginals(FixtureBackup backup) =>
        backup
            .Versions.Where(version => version.ExpectedFile is not null)
            .SelectMany(version => ExpectedTree.Load(version.ExpectedFile!).Entries)
            .Select(entry => backup.OriginalPath(entry.Path))
            .Distinct()
            .Where(Path.Exists);
}
