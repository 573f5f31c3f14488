using Restore.Simulation.Scheduling;

namespace Restore.Simulation.Ports;

/// <summary>Takes entries slowly, some of them only in part, and keeps what it read.</summary>
internal sealed class SimulatedSink(Scheduler scheduler, Faults faults) : IEntrySink
{
    public Dictionary<string, byte[]> Files { get; } = [];

    /// <summary>The failure that the sink threw, if it did.</summary>
    public Exception? Thrown { get; private set; }

    public async ValueTask TakeAsync(ExportedEntry entry, Stream content, CancellationToken cancellationToken)
    {
        if (faults.Comes(faults.Sink))
        {
            faults.Harm($"the sink refused {entry.Entry.Path}");
            Thrown = new InvalidOperationException("The sink is full");
            throw Thrown;
        }

        byte[] bytes = new byte[content.Length];
        int filled = 0;
        while (filled < bytes.Length)
        {
            await Task.Delay(TimeSpan.FromMilliseconds(faults.Random.Next(20)), scheduler.Time, cancellationToken);
            int count = await content.ReadAsync(
                bytes.AsMemory(filled, Math.Min(bytes.Length - filled, 1 + faults.Random.Next(5000))),
                cancellationToken
            );
            if (count == 0)
            {
                throw new SimulationException($"{entry.Entry.Path} ends after {filled} of {bytes.Length} bytes");
            }

            filled += count;
        }

        // A whole read ends with a read of nothing, which compares the hash of the file.
        _ = await content.ReadAsync(new byte[1], cancellationToken);
        if (entry.Entry.Kind == BackupEntryKind.File)
        {
            Files.Add(entry.Entry.Path, bytes);
        }
    }
}
