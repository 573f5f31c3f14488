using Restore.Memory;
using Restore.Tests.Ends;
using Restore.Writing;

namespace Restore.Tests.Writing;

/// <summary>However a run ends, every buffer is returned.</summary>
public sealed class WriterShutdownTests
{
    private const int ContentBytes = 3_000_000;

    [Fact]
    public async Task A_run_that_succeeds_gives_back_every_buffer()
    {
        using RoundTrip trip = Make();
        BufferPool pool = new();

        await RunAsync(trip, pool, CancellationToken.None);
        await RunAsync(trip, pool, CancellationToken.None);

        Assert.Equal((0L, 0L), (pool.OutstandingBuffers, pool.OutstandingBytes));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(4)]
    public async Task A_run_that_is_cancelled_gives_back_every_buffer(int afterVolumes)
    {
        using RoundTrip trip = Make();
        BufferPool pool = new();
        using CancellationTokenSource cancel = new();
        using FileSystemWatcher watcher = new(Directory.CreateDirectory(trip.Destination).FullName, "*.dblock*");
        int volumes = 0;
        watcher.Renamed += (_, _) =>
        {
            if (Interlocked.Increment(ref volumes) >= afterVolumes)
            {
                cancel.Cancel();
            }
        };
        watcher.EnableRaisingEvents = true;
        if (afterVolumes == 0)
        {
            await cancel.CancelAsync();
        }

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => RunAsync(trip, pool, cancel.Token));

        Assert.Equal((0L, 0L), (pool.OutstandingBuffers, pool.OutstandingBytes));
        Assert.Empty(Directory.GetFiles(trip.Destination, "*.dlist*"));
        Assert.Empty(Directory.GetFiles(trip.Destination, "incomplete_*"));
    }

    [Fact]
    public async Task A_run_that_fails_in_its_last_process_gives_back_every_buffer()
    {
        using RoundTrip trip = Make();
        BufferPool pool = new();
        Directory.CreateDirectory(trip.Destination);
        if (!Native.Mount(trip.Destination, "size=300k"))
        {
            Assert.Skip("This user may not mount a file system of a limited size.");
        }

        try
        {
            await Assert.ThrowsAsync<RestoreException>(() => RunAsync(trip, pool, CancellationToken.None));
        }
        finally
        {
            Native.Unmount(trip.Destination);
        }

        Assert.Equal((0L, 0L), (pool.OutstandingBuffers, pool.OutstandingBytes));
    }

    private static RoundTrip Make()
    {
        RoundTrip trip = new();
        File.WriteAllBytes(Path.Combine(trip.Source, "file"), SourceTree.Bytes(new Random(1), ContentBytes));
        SourceTree.Make(Path.Combine(trip.Source, "tree"), seed: 5, blockSizeBytes: 1024);
        return trip;
    }

    private static Task<BackupWriterReport> RunAsync(
        RoundTrip trip,
        BufferPool pool,
        CancellationToken cancellationToken
    ) =>
        new WriterRun(
            WriterSettings.Resolve(trip.Options with { VolumeSizeBytes = 100_000, Passphrase = "p" }),
            pool
        ).RunAsync(cancellationToken);
}
