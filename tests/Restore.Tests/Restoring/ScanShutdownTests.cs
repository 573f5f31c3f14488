using Restore.Catalog;
using Restore.Compression;
using Restore.Csp;
using Restore.Encryption;
using Restore.Format;
using Restore.Memory;
using Restore.Planning;
using Restore.Planning.Paths;
using Restore.Planning.Scanning;
using Restore.Restoring;
using Restore.Resume;
using Restore.Tests.Csp;
using Restore.Tests.Ends;
using Restore.Volumes;

namespace Restore.Tests.Restoring;

/// <summary>
/// However a process of phase 1 ends, the others end too, and everything is released; a second scan
/// then finds everything.
/// </summary>
public sealed class ScanShutdownTests : IDisposable
{
    // FileLister sends 256 at a time: four messages.
    private const int Files = 1000;

    private static readonly string[] Processes = ["FileLister", "TargetScanner", "ScanCollector"];

    private readonly BufferPool pool = new();
    private readonly MemoryTarget target = new();
    private readonly VersionContent version;
    private readonly IssueLog issues = new();

    public ScanShutdownTests()
    {
        version = MadeVersion.Of(
            Enumerable.Range(0, Files).Select(file => ($"{file:D4}", MadeVersion.Content(file, 100)))
        );
        for (int file = 0; file < Files; file++)
        {
            // Every other one is right; all have the right size, so that each is opened and hashed.
            target.Files[$"{file:D4}"] = MadeVersion.Content(file + (file % 2), 100);
        }
    }

    public static TheoryData<string, Trouble, Moment> Cases() => TroubleCase.All(Processes);

    [Theory]
    [MemberData(nameof(Cases))]
    public async Task A_process_in_trouble_ends_the_look_at_the_target_in_good_order(
        string process,
        Trouble trouble,
        Moment moment
    )
    {
        using TroubleCase expected = new(process, trouble, moment, lastMessage: 4);
        Troublemaker maker = new(process, expected.At, expected.Act);

        expected.AssertRight(
            await Record.ExceptionAsync(() => ScanAsync(maker.MeterOf, expected.CancellationToken).Soon())
        );
        Assert.InRange(maker.Passed, expected.At, 4);
        AssertAllGivenBack(maker);
        AssertAllFound(await ScanAsync(_ => null).Soon());
    }

    [Theory]
    [InlineData(0)]
    [InlineData(Files / 2)]
    [InlineData(Files - 1)]
    public async Task A_target_that_cannot_be_used_ends_the_run_with_its_own_error(int file)
    {
        RestoreException failure = new(RestoreErrorCode.TargetFull, "The target is gone");
        target.BeforeInspect = path => _ = path == $"{file:D4}" ? throw failure : 0;
        Troublemaker nothing = new("", 0, () => { });
        Assert.Same(failure, await Record.ExceptionAsync(() => ScanAsync(nothing.MeterOf).Soon()));
        AssertAllGivenBack(nothing);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(Files / 2)]
    public async Task On_cancellation_no_further_file_is_looked_at(int file)
    {
        using CancellationTokenSource cancel = new();
        using CountdownEvent looks = new(Files);
        target.BeforeInspect = path =>
        {
            looks.Signal();
            if (path == $"{file:D4}")
            {
                cancel.Cancel();
                Assert.True(cancel.Token.WaitHandle.WaitOne());
            }
        };
        Troublemaker nothing = new("", 0, () => { });
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => ScanAsync(nothing.MeterOf, cancel.Token).Soon());
        Assert.InRange(Files - looks.CurrentCount, file + 1, Files - 1);
        AssertAllGivenBack(nothing);
    }

    [Fact]
    public async Task A_file_that_cannot_be_looked_at_is_refused_and_the_others_are_found()
    {
        target.BeforeInspect = path => _ = path == "0007" ? throw new IOException("The disk has a bad sector") : 0;
        List<ScanResult> results = await ScanAsync(_ => null).Soon();
        Assert.Equal(Files, results.Count);
        ScanResult refused = Assert.Single(results, result => result.Refusal is not null);
        Assert.Equal(
            (7, EntryAction.None, "The disk has a bad sector"),
            (refused.Entry, refused.Action, refused.Refusal)
        );
    }

    public void Dispose() => target.Dispose();

    private static void AssertAllFound(List<ScanResult> results) =>
        Assert.Equal(
            Enumerable.Range(0, Files).Select(file => (file, file % 2 == 0 ? EntryAction.Keep : EntryAction.Replace)),
            results.Select(result => (result.Entry.Value, result.Action))
        );

    private void AssertAllGivenBack(Troublemaker maker)
    {
        Assert.Equal(0, maker.Running);
        Assert.Equal(0, pool.OutstandingBuffers);
        Assert.Equal(0, target.OpenFiles);
        Assert.Empty(issues.ToList());
    }

    /// <summary>
    /// One copy of each process, wired as in a restore; the results as ScanCollector was given
    /// them.
    /// </summary>
    private async Task<List<ScanResult>> ScanAsync(
        Func<string, Meter?> meterOf,
        CancellationToken cancellationToken = default
    )
    {
        RestoreOptions options = new() { Overwrite = true };
        FlowSettings settings = FlowSettings.Resolve(
            NetworkRig.Narrow.Tuning,
            cores: 1,
            memoryBytes: 1L << 30,
            isLocal: true
        );
        ScanNetwork network = new(settings.FileProcessors, settings.ChannelCapacity, meterOf);
        RenameRule renaming = new(DateTimeOffset.UnixEpoch, TimeZoneInfo.Utc);
        FileLister lister = new(
            MadeVersion.Plans(version),
            new TargetNames(TargetRules.Unix),
            renaming,
            options,
            long.MaxValue,
            long.MaxValue,
            issues
        );
        using EarlierRuns earlier = EarlierRuns.Read(target, "", issues);
        TargetComparison comparison = new(version, target, options, renaming, earlier, pool);
        List<ScanResult> taken = [];
        await network.ScanAsync(
            lister.RunAsync,
            comparison.Look,
            taken.Add,
            new ProgressMeter(TimeProvider.System),
            cancellationToken
        );
        return taken;
    }
}
