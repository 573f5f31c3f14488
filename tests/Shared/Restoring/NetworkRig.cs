using Restore.Catalog;
using Restore.Compression;
using Restore.Csp;
using Restore.Encryption;
using Restore.Memory;
using Restore.Reading;
using Restore.Restoring;
using Restore.Resume;
using Restore.Storage;
using Restore.Tests.FixtureTests;
using Restore.Volumes;

namespace Restore.Tests.Restoring;

/// <summary>
/// A restore of a real backup from memory into a real folder, with access to the network for
/// injecting failures.
/// </summary>
internal sealed class NetworkRig : IDisposable
{
    private readonly FixtureBackup fixture;
    private readonly TempFolder folder = new();
    private readonly int version;
    private Backup? backup;

    public NetworkRig(string fixtureName, int version = 0)
    {
        fixture = FixtureCatalog.BackupsOf(fixtureName).Single();
        this.version = version;
        Store = ScriptedStore.OfFolder(fixture.Location, isLocal: true);
    }

    public ScriptedStore Store { get; }

    public string Target => folder.Root;

    /// <summary>
    /// One copy of each process, and channels of one message: nothing runs ahead, so trouble comes
    /// where it is meant to.
    /// </summary>
    public static ExecuteOptions Narrow { get; } =
        new()
        {
            Tuning = new()
            {
                FileProcessors = 1,
                VolumeDownloaders = 1,
                VolumeDecryptors = 1,
                VolumeDecompressors = 1,
                ChannelBufferSize = 1,
                RangeReads = RangeReads.Never,
            },
        };

    public async Task<RestorePlan> PlanAsync(
        RestoreOptions? options = null,
        ExecuteOptions? execution = null,
        CancellationToken cancellationToken = default
    )
    {
        Backup opened = await OpenAsync(cancellationToken);
        options = (options ?? new RestoreOptions()) with
        {
            Target = folder.Root,
            RestorePermissions = true,
            AllowRestoreOutsideTargetDirectory = true,
        };
        return await opened.PlanAsync(opened.Versions[version], options, execution ?? Narrow, cancellationToken);
    }

    /// <summary>
    /// Plans, and runs with a network whose processes measure with what is given.
    /// </summary>
    public async Task<RestoreReport> RunAsync(
        Func<string, Meter?> meterOf,
        CancellationToken stopToken = default,
        CancellationToken cancellationToken = default
    )
    {
        RestorePlan plan = await PlanAsync(cancellationToken: cancellationToken);
        return await ExecuteAsync(plan, Narrow with { StopToken = stopToken }, meterOf, cancellationToken);
    }

    /// <summary>Runs a plan with a network whose processes measure with what is given.</summary>
    public async Task<RestoreReport> ExecuteAsync(
        RestorePlan plan,
        ExecuteOptions? options = null,
        Func<string, Meter?>? meterOf = null,
        CancellationToken cancellationToken = default
    )
    {
        RestoreSession session = (await OpenAsync(cancellationToken)).Session;
        options ??= Narrow;
        FlowSettings settings = FlowSettings.Resolve(options.Tuning, cores: 2, memoryBytes: 16L << 30, isLocal: true);
        ProgressMeter meter = new(session.Options.TimeProvider);
        meter.Listen(options.Progress);
        return await new RestoreRun(new Execution(session, options, settings, meterOf), plan, meter).RunAsync(
            cancellationToken
        );
    }

    /// <summary>Checks that no buffer is rented and no file of the target is open.</summary>
    public void AssertAllGivenBack()
    {
        Assert.Equal(0, backup?.Pool.OutstandingBuffers ?? 0);
        Assert.Empty(OpenFiles.Below(folder.Path));
    }

    /// <summary>
    /// Checks that every file at the target is whole; the record of an interrupted run may be there
    /// too.
    /// </summary>
    public void AssertNothingHalfDone()
    {
        if (Directory.Exists(folder.Root))
        {
            IReadOnlyDictionary<string, TreeEntry> found = RestoredTree.Read(folder.Root);
            ExpectedTree expected = ExpectedTree.Load(fixture.Versions[version].ExpectedFile!);
            Assert.Empty(
                expected
                    .Entries.Where(entry => found.ContainsKey(entry.Path))
                    .SelectMany(entry => RestoredTree.Differences(entry, found[entry.Path], TreeChecks.Content))
            );
            Assert.DoesNotContain(
                found.Keys.Except(expected.Entries.Select(entry => entry.Path)),
                path => !RecordNames.IsRecord(path)
            );
        }
    }

    public void AssertWhole() =>
        RestoredTree.AssertEqual(fixture.Versions[version].ExpectedFile!, folder.Root, fixture.Checks);

    public void Dispose() => folder.Dispose();

    // A second passes at each read of the clock, so that progress is reported at every chance.
    private async Task<Backup> OpenAsync(CancellationToken cancellationToken) =>
        backup ??= await Backup.OpenAsync(
            Store,
            fixture.Options() with
            {
                TimeProvider = new FakeClock { Step = TimeSpan.FromSeconds(1) },
            },
            cancellationToken
        );
}
