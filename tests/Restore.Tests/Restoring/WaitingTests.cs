using Restore.Catalog;
using Restore.Compression;
using Restore.Csp;
using Restore.Encryption;
using Restore.Memory;
using Restore.Reading;
using Restore.Tests.Csp;
using Restore.Volumes;

namespace Restore.Tests.Restoring;

/// <summary>In the profile a process that waits for credit or for a place does not work.</summary>
public sealed class WaitingTests : IDisposable
{
    private static readonly TimeSpan Waited = TimeSpan.FromSeconds(10);

    private readonly FakeClock clock = new();
    private readonly Meter meter;
    private readonly FetchList demand = MadeVersion.PlanToCreate(("a", MadeVersion.Content(1, 100))).Fetch;
    private readonly VolumeCredit credit = new(1000);
    private readonly Channel<VolumeRequested> requested = new("VolumeRequested", 1);
    private readonly BufferPool pool = new();

    public WaitingTests() => meter = new Meter(clock);

    [Fact]
    public async Task VolumeManager_waits_to_write_while_there_is_no_credit()
    {
        using IWriteChannelEnd<VolumeRequested> output = requested.Writer(meter);
        using IReadChannelEnd<VolumeRequested> sink = requested.Reader();
        VolumeCredit.Share all = await credit.TakeAsync(1000, default);

        meter.Begin();
        Task running = new VolumeManager(demand, credit, default).RunAsync(output, default);
        clock.Advance(Waited);
        all.Dispose();
        await running.Soon();
        meter.End();

        (await sink.ReadAsync().Soon()).Dispose();
        AssertWaited(reading: TimeSpan.Zero, writing: Waited);
    }

    [Fact]
    public async Task VolumeDownloader_waits_to_read_while_the_gate_has_no_place()
    {
        Channel<VolumeFetched> fetched = new("VolumeFetched", 1);
        using IReadChannelEnd<VolumeRequested> input = requested.Reader(meter);
        using IWriteChannelEnd<VolumeFetched> output = fetched.Writer(meter);
        using IReadChannelEnd<VolumeFetched> sink = fetched.Reader();
        using (IWriteChannelEnd<VolumeRequested> source = requested.Writer())
        {
            await source.WriteAsync(new VolumeRequested(demand.Volumes[0], await credit.TakeAsync(1000, default)));
        }

        DownloadGate gate = new(DownloadGate.Least, clock);
        for (int place = 0; place < DownloadGate.Least; place++)
        {
            await gate.EnterAsync(default);
        }

        VolumeLoader loader = new(
            new ScriptedStore(),
            new VolumeCiphers(new CipherOptions(Passphrase: null), pool),
            new Codecs(),
            pool
        );
        meter.Begin();
        Task running = new VolumeDownloader(loader, demand, new RangePolicy(RangeReads.Never, 0), gate).RunAsync(
            input,
            output,
            default
        );
        clock.Advance(Waited);
        gate.Leave(1000);
        await running.Soon();
        meter.End();

        (await sink.ReadAsync().Soon()).Dispose();
        AssertWaited(reading: Waited, writing: TimeSpan.Zero);
    }

    public void Dispose() => Assert.Equal(0, pool.OutstandingBuffers);

    private void AssertWaited(TimeSpan reading, TimeSpan writing) =>
        Assert.Equal((reading, TimeSpan.Zero, writing), (meter.Reading, meter.Working, meter.Writing));
}
