using Restore.Simulation.Ports;
using Restore.Simulation.Scheduling;

namespace Restore.Simulation;

/// <summary>What an operation does.</summary>
internal enum Operation
{
    Restore,
    Verify,
    Export,
    Streams,
}

/// <summary>How an operation ended.</summary>
internal sealed record Ending
{
    public RestoreReport? Restored { get; set; }

    public ExportReport? Exported { get; set; }

    public Exception? Failure { get; set; }

    public long BuffersLeft { get; set; }

    /// <summary>Contents that a sink or a stream gave whole, with their paths.</summary>
    public Dictionary<string, byte[]> Given { get; set; } = [];
}

/// <summary>
/// One operation on a small backup, with options and faults that the seed chooses.
/// </summary>
internal sealed class Scenario(int seed, Faults faults, SimulatedFolder folder)
{
    private readonly Scheduler scheduler = new(seed);
    private readonly CancellationTokenSource cancel = new();
    private readonly CancellationTokenSource stop = new();

    public Operation Operation { get; private init; }

    public RestoreOptions Options { get; private init; } = new();

    public ExecuteOptions Execution { get; private init; } = new();

    public Scheduler Scheduler => scheduler;

    public Faults Faults => faults;

    public MadeVolumes Volumes { get; } = MadeVolumes.Of(seed);

    public SimulatedFolder Folder => folder;

    public Ending Ending { get; } = new();

    public SimulatedStore? Store { get; private set; }

    public SimulatedSink? Sink { get; private set; }

    public bool IsCancelled => cancel.IsCancellationRequested || stop.IsCancellationRequested;

    private bool IsLocal { get; init; }

    private bool HasRanges { get; init; }

    public static Scenario Of(int seed, Faults faults, SimulatedFolder folder)
    {
        Random random = new(seed ^ 0xA11);
        Operation operation = random.Next(10) switch
        {
            0 => Operation.Verify,
            1 => Operation.Export,
            2 => Operation.Streams,
            _ => Operation.Restore,
        };
        return new Scenario(seed, faults, folder)
        {
            Operation = operation,
            IsLocal = random.Next(3) == 0,
            HasRanges = random.Next(3) > 0,
            Options = new RestoreOptions
            {
                Target = folder.Path,
                DontCompressRestorePaths = true,
                Overwrite = random.Next(2) == 0,
                SkipMetadata = random.Next(6) == 0,
                TrustTimes = random.Next(4) == 0,
                VerifyOnly = operation == Operation.Verify,
            },
            Execution = new ExecuteOptions
            {
                Profile = random.Next(4) == 0,
                SkipFlush = true,
                Legacy = random.Next(8) == 0,
                Tuning = new RestoreTuning
                {
                    RangeReads = (RangeReads)random.Next(Enum.GetValues<RangeReads>().Length),
                    RequestCostBytes = random.Next(2) == 0 ? 1 : null,
                    PreallocateSize = random.Next(2) == 0,
                    FileProcessors = 1 + random.Next(3),
                    VolumeDownloaders = random.Next(2) == 0 ? null : 1 + random.Next(3),
                    VolumeDecryptors = 1 + random.Next(2),
                    VolumeDecompressors = 1 + random.Next(3),
                    ChannelBufferSize = 1 + random.Next(3),
                    CacheMaxBytes = random.Next(4) switch
                    {
                        0 => 0,
                        1 => 2048,
                        2 => 20_000,
                        _ => 1 << 20,
                    },
                    CacheEvictPercent = 1 + random.Next(100),
                    VolumeCacheHintBytes = random.Next(3) switch
                    {
                        0 => 1,
                        1 => 8192,
                        _ => null,
                    },
                },
            },
        };
    }

    /// <summary>
    /// Runs until nothing is left to do; a failure of the operation is in the ending.
    /// </summary>
    public void Run()
    {
        scheduler.BeforeStep = step =>
        {
            if (step == faults.CancelAt)
            {
                scheduler.Post(cancel.CancelAtOnce);
            }

            if (step == faults.StopAt)
            {
                scheduler.Post(stop.CancelAtOnce);
            }
        };
        scheduler.Run(RunAsync);
    }

    private async Task RunAsync()
    {
        scheduler.OpenTarget = new SimulatedTarget(scheduler, faults).Open;
        Store = new SimulatedStore(scheduler, Volumes.Files, faults) { IsLocal = IsLocal, HasRanges = HasRanges };
        Backup? backup = null;
        try
        {
            backup = await Backup.OpenAsync(
                Store,
                new BackupOptions { Passphrase = Volumes.Passphrase, TimeProvider = scheduler.Time },
                cancel.Token
            );
            await OperateAsync(backup);
        }
        catch (Exception failure)
        {
            Ending.Failure = failure;
        }

        if (backup is not null)
        {
            await backup.DisposeAsync();
            Ending.BuffersLeft = backup.Pool.OutstandingBuffers;
        }
    }

    private async Task OperateAsync(Backup backup)
    {
        switch (Operation)
        {
            case Operation.Export:
                Sink = new SimulatedSink(scheduler, faults);
                Ending.Exported = await backup.ExportAsync(backup.Versions[0], Sink, cancellationToken: cancel.Token);
                Ending.Given = Sink.Files;
                break;
            case Operation.Streams:
                await Task.WhenAll(
                    Volumes.Contents.Keys.Take(3).Select(path => Simulated.RunAsync(() => ReadAsync(backup, path)))
                );
                break;
            default:
                RestorePlan plan = await backup.PlanAsync(backup.Versions[0], Options, Execution, cancel.Token);
                Ending.Restored = await backup.ExecuteAsync(
                    plan,
                    Execution with
                    {
                        StopToken = stop.Token,
                    },
                    cancel.Token
                );
                break;
        }
    }

    private async Task ReadAsync(Backup backup, string path)
    {
        await using Stream stream = await backup.OpenEntryAsync(backup.Versions[0], path, cancel.Token);
        byte[] bytes = new byte[stream.Length];
        for (int tries = faults.Random.Next(4); tries > 0 && bytes.Length > 0; tries--)
        {
            stream.Position = faults.Random.Next(bytes.Length);
            int asked = 1 + faults.Random.Next(3000);
            int from = (int)stream.Position;
            try
            {
                int count = await stream.ReadAsync(
                    bytes.AsMemory(from, Math.Min(asked, bytes.Length - from)),
                    cancel.Token
                );
                Judge.Require(
                    bytes.AsSpan(from, count).SequenceEqual(Volumes.Contents[path].AsSpan(from, count)),
                    $"{path} has wrong bytes at {from}"
                );
            }
            catch (IOException) when (faults.Matters) { }
        }

        stream.Position = 0;
        int filled = 0;
        try
        {
            while (filled < bytes.Length)
            {
                filled += await stream.ReadAsync(bytes.AsMemory(filled), cancel.Token);
            }

            Ending.Given[path] = bytes;
        }
        catch (IOException) when (faults.Matters) { }
    }
}
