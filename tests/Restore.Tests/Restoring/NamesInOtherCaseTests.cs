using Restore.Catalog;
using Restore.Format;
using Restore.Memory;
using Restore.Planning;
using Restore.Planning.Paths;
using Restore.Planning.Scanning;
using Restore.Reporting;

namespace Restore.Tests.Restoring;

/// <summary>
/// Two files of a backup of Linux with names that Windows and macOS do not tell apart.
/// </summary>
public sealed class NamesInOtherCaseTests
{
    private readonly IssueLog issues = new();

    [Fact]
    public async Task The_second_file_gets_another_name_and_the_report_says_so()
    {
        EntryPlans plans = await ListAsync(TargetRules.Windows, "docs/README", "docs/readme", "docs/Readme", "other");

        Assert.Equal(
            ["docs/README", "docs/readme.1970-01-01", "docs/Readme.1970-01-01 (0)", "other"],
            EntryId.UpTo(plans.Count).AsEnumerable().Select(plans.TargetPath)
        );
        Assert.All(EntryId.UpTo(plans.Count).AsEnumerable(), entry => Assert.Equal(EntryAction.Create, plans[entry]));
        Assert.Equal(["/docs/readme", "/docs/Readme"], issues.ToList().Select(issue => issue.Path));
        Assert.All(
            issues.ToList(),
            issue => Assert.Equal((IssueKind.Warning, IssueCode.Renamed), (issue.Kind, issue.Code))
        );
    }

    [Fact]
    public async Task Where_case_makes_a_difference_both_keep_their_names()
    {
        EntryPlans plans = await ListAsync(TargetRules.Unix, "README", "readme");
        Assert.Equal(["README", "readme"], EntryId.UpTo(plans.Count).AsEnumerable().Select(plans.TargetPath));
        Assert.Empty(issues.ToList());
    }

    [Fact]
    public async Task A_file_in_the_place_of_a_folder_is_refused_still()
    {
        await ListAsync(TargetRules.Windows, "Name/file", "name");
        Assert.Equal(IssueKind.Refused, Assert.Single(issues.ToList()).Kind);
    }

    private async Task<EntryPlans> ListAsync(TargetRules rules, params string[] paths)
    {
        VersionContent version = MadeVersion.Of(paths.Select((path, seed) => (path, MadeVersion.Content(seed, 10))));
        EntryPlans.Builder plans = MadeVersion.Plans(version);
        RenameRule renaming = new(DateTimeOffset.UnixEpoch, TimeZoneInfo.Utc);
        FileLister lister = new(
            plans,
            new TargetNames(rules),
            renaming,
            new RestoreOptions(),
            long.MaxValue,
            long.MaxValue,
            issues
        );
        ScanNetwork network = new(1, 4, _ => null);
        await network.ScanAsync(
            lister.RunAsync,
            (entry, _) => new ScanResult(entry, EntryAction.Create),
            plans.Apply,
            new ProgressMeter(TimeProvider.System),
            TestContext.Current.CancellationToken
        );
        return plans.Build();
    }
}
