using Restore.Catalog;
using Restore.Compression;
using Restore.Csp;
using Restore.Encryption;
using Restore.Memory;
using Restore.Reading;
using Restore.Restoring;
using Restore.Storage;
using Restore.Tests.FixtureTests;
using Restore.Volumes;

namespace Restore.Tests.Restoring;

/// <summary>A restore of a real backup out of memory into a real folder, with the network in the open so that it can be troubled.</summary>
internal sealed class NetworkRig : IDisposable
{
    private readonly FixtureBackup fixture;
    private readonly TempFolder folder = new();
    private readonly int version;

    public NetworkRig(string fixtureName, int version = 0)
    {
        fixture = FixtureCatalog.BackupsOf(fixtureName).Single();
        this.version = version;
        Store = ScriptedStore.OfFolder(fixture.Location, isLocal: true);
    }

    public BufferPool Pool { get; } = new();

    public ScriptedStore Store { get; }

    public string Target => folder.Root;

    /// <summary>One copy of each process, and channels of one message: nothing runs ahead, so trouble comes where it is meant to.</summary>
    public static RestoreOptions Narrow { get; } = new()
    {
        FileProcessors = 1, VolumeDownloaders = 1, VolumeDecryptors = 1, VolumeDecompressors = 1, ChannelBufferSize = 1, RangeReads = RangeReads.Never,
    };

    public async Task<PreparedRestore> PlanAsync(
        RestoreOptions? tuning = null, IProgress<RestoreProgress>? progress = null, CancellationToken cancellationToken = default)
    {
        RestoreOptions options = (tuning ?? Narrow) with { Target = folder.Root, RestorePermissions = true, AllowRestoreOutsideTargetDirectory = true };
        MeteredStore store = new(Store);
        VolumeLoader loader = new(store, new VolumeCiphers(fixture.Options(), Pool), new Codecs(), Pool);
        VolumeSet volumes = await VolumeSet.ListAsync(store, fixture.Prefix, needsFileLists: true, cancellationToken);
        VolumeCatalog catalog = new(loader, volumes);
        // A second passes at each look, so that every chance for progress is taken.
        FakeClock clock = new() { Step = TimeSpan.FromSeconds(1) };
        ProgressMeter meter = new(clock, () => store.BytesFetched);
        meter.Listen(progress);
        RestoreSession session = new(fixture.Options(), store, Cache: null, loader, volumes, catalog);
        FlowSettings settings = FlowSettings.Resolve(options, cores: 2, memoryBytes: 16L << 30, isLocal: true);
        return await new PlanBuilder(session, options, settings, meter).BuildAsync(catalog.Versions[version], cancellationToken);
    }

    /// <summary>Plans, and runs with a network whose processes measure with what is given.</summary>
    public async Task<RestoreReport> RunAsync(
        Func<string, Meter?> meterOf, RestoreOptions? tuning = null, CancellationToken stopToken = default, CancellationToken cancellationToken = default)
    {
        PreparedRestore prepared = await PlanAsync(tuning, cancellationToken: cancellationToken);
        RangePolicy ranges = RangePolicy.Resolve(prepared.Options, prepared.Session.Store);
        BlockStream blocks = new(prepared.Session.Loader, ranges, prepared.Settings.Reading, meterOf, TimeProvider.System);
        PreparedRestore troubled = prepared with { Network = new RestoreNetwork(prepared.Settings, blocks, meterOf) };
        RunResult run = await new RestoreRun(troubled).RunAsync(stopToken, cancellationToken);
        return new ReportBuilder(troubled, run).Build(TimeSpan.Zero, 0);
    }

    /// <summary>Nothing is out: no buffer, no file of the target open.</summary>
    public void AssertAllGivenBack()
    {
        Assert.Equal(0, Pool.OutstandingBuffers);
        Assert.Empty(OpenFiles.Below(folder.Path));
    }

    /// <summary>Whatever is at the target is whole.</summary>
    public void AssertNothingHalfDone()
    {
        if (Directory.Exists(folder.Root))
        {
            IReadOnlyDictionary<string, TreeEntry> found = RestoredTree.Read(folder.Root);
            ExpectedTree expected = ExpectedTree.Load(fixture.Versions[version].ExpectedFile!);
            Assert.Empty(expected.Entries
                .Where(entry => found.ContainsKey(entry.Path))
                .SelectMany(entry => RestoredTree.Differences(entry, found[entry.Path], TreeChecks.Content)));
            Assert.Empty(found.Keys.Except(expected.Entries.Select(entry => entry.Path)));
        }
    }

    public void AssertWhole() => RestoredTree.AssertEqual(fixture.Versions[version].ExpectedFile!, folder.Root, fixture.Checks);

    public void Dispose() => folder.Dispose();
}
