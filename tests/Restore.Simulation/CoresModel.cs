using System.Globalization;
using System.Text;
using Restore.Ends;
using Restore.Simulation.Ports;
using Restore.Simulation.Scheduling;
using Restore.Tests.Restoring;

namespace Restore.Simulation;

/// <summary>
/// A restore on a machine with more processors than this one has: the steps of the engine are
/// measured here, one by one, and laid out on virtual processors.
/// </summary>
/// <param name="Cores">The number of processors.</param>
/// <param name="Elapsed">The time from the call to the report.</param>
/// <param name="Busy">The time of all steps together.</param>
/// <param name="Profile">What each process did, and where it waited.</param>
internal sealed record CoresModel(
    int Cores,
    TimeSpan Elapsed,
    TimeSpan Busy,
    TimeSpan Planned,
    IReadOnlyList<ProcessProfile> Profile
)
{
    /// <summary>
    /// Restores with as many copies of each process as there are processors, into an empty folder.
    /// </summary>
    /// <exception cref="SimulationException">What was restored is not what was backed
    /// up.</exception>
    public static CoresModel Of(int cores, MadeVolumes volumes, TimeSpan latency)
    {
        string parent = Directory.Exists("/dev/shm") ? "/dev/shm" : Path.GetTempPath();
        DirectoryInfo target = Directory.CreateDirectory(
            Path.Combine(parent, $"restore-cores-{Environment.ProcessId}-{Guid.NewGuid():n}")
        );
        try
        {
            VirtualCores processors = new(cores);
            CoresModel? model = null;
            new Scheduler(processors).Run(async () =>
                model = await RestoreAsync(Scheduler.Current, processors, volumes, latency, target.FullName)
            );
            foreach ((string path, byte[] content) in volumes.Contents)
            {
                Judge.Require(
                    content.AsSpan().SequenceEqual(File.ReadAllBytes(target.FullName + path)),
                    $"{path} has other bytes"
                );
            }

            return model!;
        }
        finally
        {
            target.Delete(recursive: true);
        }
    }

    /// <summary>One line for each model: time, use of the processors, the busiest process, waits.</summary>
    public static string Table(IReadOnlyList<CoresModel> models)
    {
        StringBuilder table = new();
        table.AppendLine("| cores and copies | time | of it the plan | cores busy | the busiest process | most wait |");
        table.AppendLine("|---:|---:|---:|---:|---|---|");
        foreach (CoresModel model in models)
        {
            table.AppendLine(
                CultureInfo.InvariantCulture,
                $"| {model.Cores} | {model.Elapsed.TotalMilliseconds:0} ms | {model.Planned.TotalMilliseconds:0} ms "
                    + $"| {model.Busy / model.Elapsed:0.0} | {model.Busiest()} | {model.Waiting()} |"
            );
        }

        return table.ToString();
    }

    private static async Task<CoresModel> RestoreAsync(
        Scheduler scheduler,
        VirtualCores processors,
        MadeVolumes volumes,
        TimeSpan latency,
        string target
    )
    {
        scheduler.OpenTarget = (path, flushes) => new WatchedTarget(FileSystemTarget.Open(path, flushes), _ => { });
        SimulatedStore store = new(scheduler, volumes.Files, Faults.None)
        {
            IsLocal = latency == TimeSpan.Zero,
            Latency = latency,
        };
        await using Backup backup = await Backup.OpenAsync(
            store,
            new BackupOptions { Passphrase = volumes.Passphrase, TimeProvider = scheduler.Time }
        );
        int copies = processors.Count;
        ExecuteOptions execution = new()
        {
            Profile = true,
            SkipFlush = true,
            Tuning = new RestoreTuning
            {
                FileProcessors = copies,
                VolumeDownloaders = copies,
                VolumeDecryptors = copies,
                VolumeDecompressors = copies,
            },
        };
        RestoreOptions options = new() { Target = target, DontCompressRestorePaths = true };
        long began = scheduler.Time.GetTimestamp();
        long busy = processors.Busy;
        RestorePlan plan = await backup.PlanAsync(backup.Versions[0], options, execution);
        TimeSpan planned = scheduler.Time.GetElapsedTime(began);
        RestoreReport report = await backup.ExecuteAsync(plan, execution);
        Judge.Require(report.IsComplete, string.Join("\n", report.Issues));
        return new CoresModel(
            copies,
            scheduler.Time.GetElapsedTime(began),
            new TimeSpan(processors.Busy - busy),
            planned,
            report.Profile
        );
    }

    // Of the time of the flow, for each copy.
    private string Busiest()
    {
        ProcessProfile busiest = Profile.MaxBy(row => row.Working / row.Copies)!;
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{busiest.Process} {busiest.Working / busiest.Copies / (Elapsed - Planned):0 %}"
        );
    }

    private string Waiting()
    {
        ProcessProfile waiting = Profile.MaxBy(row => (row.Reading + row.Writing) / row.Copies)!;
        string how = waiting.Reading > waiting.Writing ? "to read" : "to write";
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{waiting.Process} {how} {(waiting.Reading + waiting.Writing) / waiting.Copies / (Elapsed - Planned):0 %}"
        );
    }
}
