using Restore.Ends;
using Restore.Format;
using Restore.Planning;
using Restore.Planning.Paths;
using Restore.Reporting;
using Restore.Restoring;
using Restore.Targets;
using Restore.Tests.Trust;

namespace Restore.Tests.Restoring;

/// <summary>Streams of a Windows backup, at a target that may have streams.</summary>
public sealed class NamedStreamsTests : IDisposable
{
    private readonly MadeBackup backup = new();
    private readonly List<(string From, string Host, string Stream)> moved = [];

    public NamedStreamsTests()
    {
        backup.Folder(@"C:\u\docs\");
        backup.File(@"C:\u\docs\a.txt", [1]);
        backup.File(@"C:\u\docs\A.TXT:Zone.Identifier", [2]);
        backup.File(@"C:\u\docs\:view", [3]);
        backup.File(@"C:\u\docs\a.txt::$DATA", [4]);
        backup.File(@"C:\u\docs\gone.txt:Zone.Identifier", [5]);
        backup.File(@"C:\u\other.txt", [6]);
        backup.Write();
    }

    [Fact]
    public async Task Each_goes_to_its_file_or_folder_and_one_that_is_none_or_has_no_file_stays_a_file()
    {
        RestoreReport report = await RestoreAsync(_ => true);

        Assert.Equal(
            [("docs/%3Aview", "docs", "view"), ("docs/A.TXT%3AZone.Identifier", "docs/a.txt", "Zone.Identifier")],
            moved.OrderBy(stream => stream.Host.Length)
        );
        Assert.Equal([4], File.ReadAllBytes(backup.At("docs/a.txt%3A%3A$DATA")));
        Assert.Equal([5], File.ReadAllBytes(backup.At("docs/gone.txt%3AZone.Identifier")));
        Assert.Equal(
            [@"C:\u\docs\a.txt::$DATA", @"C:\u\docs\gone.txt:Zone.Identifier"],
            report.Issues.Select(issue => issue.Path).Order(StringComparer.Ordinal)
        );
    }

    [Fact]
    public async Task A_stream_that_is_not_taken_is_reported_under_the_name_of_its_file()
    {
        RestoreReport report = await RestoreAsync(_ => false);

        RestoreIssue issue = Assert.Single(report.Issues, issue => issue.Path == @"C:\u\docs\A.TXT:Zone.Identifier");
        Assert.Equal((IssueKind.Warning, IssueCode.Renamed), (issue.Kind, issue.Code));
        Assert.Equal([2], File.ReadAllBytes(backup.At("docs/A.TXT%3AZone.Identifier")));
    }

    [Fact]
    public async Task A_stream_that_cannot_be_written_is_a_warning_and_stays_a_file()
    {
        RestoreReport report = await RestoreAsync(_ => throw new IOException("The disk has a bad sector"));

        Assert.Contains(
            report.Issues,
            issue =>
                issue is { Kind: IssueKind.Warning, Reason: "The disk has a bad sector" }
                && issue.Path == @"C:\u\docs\A.TXT:Zone.Identifier"
        );
        Assert.Equal([2], File.ReadAllBytes(backup.At("docs/A.TXT%3AZone.Identifier")));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task What_the_device_has_of_a_stream_is_checked_too(bool isChanged)
    {
        RestoreReport report = await RestoreAsync(
            _ => true,
            check =>
            {
                if (isChanged)
                {
                    File.WriteAllBytes(backup.At(FileOf("docs/a.txt", "Zone.Identifier")), [7]);
                }

                return check;
            }
        );

        Assert.Equal(
            isChanged ? [@"C:\u\docs\A.TXT:Zone.Identifier"] : [],
            report.Issues.Where(issue => issue.Kind == IssueKind.Doubtful).Select(issue => issue.Path)
        );
    }

    public void Dispose() => backup.Dispose();

    private static string FileOf(string host, string stream) => $"{host.Replace('/', '_').ToUpperInvariant()} {stream}";

    /// <param name="takes">Whether the file of a path becomes a stream.</param>
    /// <param name="checking">Is called before the device is checked; null without a check.</param>
    private async Task<RestoreReport> RestoreAsync(
        Func<string, bool> takes,
        Func<DeviceCheck, DeviceCheck>? checking = null
    )
    {
        await using Backup opened = await Backup.OpenAsync(backup.Source);
        RestoreSession session = opened.Session with
        {
            OpenTarget = (given, _) =>
                new WatchedTarget(FileSystemTarget.Open(given.Target!), _ => { })
                {
                    TakeStream = (from, host, stream) =>
                    {
                        bool isTaken = takes(from);
                        if (isTaken)
                        {
                            moved.Add((from, host, stream));
                            File.Move(backup.At(from), backup.At(FileOf(host, stream)));
                        }

                        return isTaken;
                    },
                    StreamFile = FileOf,
                },
        };
        RestoreOptions options = new() { Target = backup.Target };
        Execution execution = new(session, new ExecuteOptions());
        ProgressMeter meter = new(TimeProvider.System);
        using IRestoreTarget target = session.OpenTarget(options, true);
        PlanningContext context = execution.PlanningFor(target, originalPlaces: null) with
        {
            Rules = TargetRules.Windows,
        };
        RestorePlan plan = await new PlanBuilder(context, options, meter).BuildAsync(opened.Versions[0], default);
        RestoreReport report = await new RestoreRun(execution, plan, meter).RunAsync(default);
        if (checking is null)
        {
            return report;
        }

        // The first one was opened before the folder was there.
        using IRestoreTarget device = session.OpenTarget(options, true);
        return checking(new DeviceCheck(plan, device, session.Pool)).Check(report, CancellationToken.None);
    }
}
