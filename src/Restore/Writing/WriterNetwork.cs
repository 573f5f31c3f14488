using Restore.Writing.Messages;
using Restore.Writing.Processes;

namespace Restore.Writing;

/// <summary>
/// The network, wired as in the picture:
/// <code>
/// SourceWalker --> FileReader[n] --> BlockDeduplicator --> BlockCompressor[n] --> VolumeBuilder
///                              \                                  --> VolumeEncryptor[n]
///                               \--> EntryCollector               --> VolumeWriter[n]
/// </code>
/// Bounded channels, one input for each process, no cycle: it cannot deadlock. The slots of volumes
/// flow back, but only the process that starts volumes waits for them, and no process after it
/// waits for an earlier one.
/// </summary>
internal sealed class WriterNetwork(
    WriterSettings settings,
    BufferPool pool,
    DateTimeOffset created,
    PreviousEntries? previous,
    WriterMeter meter,
    ChangedFiles? changed = null
)
{
    public long LeftOut { get; private set; }

    /// <summary>Whether the backup was stopped before it had read everything.</summary>
    public bool IsStopped { get; private set; }

    public async Task<NetworkProfile> RunAsync(
        BlockDeduplicator deduplicator,
        VolumeSealer sealer,
        VolumeWriter writer,
        EntryCollector collector,
        CancellationToken cancellationToken
    )
    {
        int copies = settings.Concurrency;
        int uploads = writer.IsLocal ? 1 : settings.Options.Uploads;
        ProcessNetwork network = new(settings.Options.Profile, settings.Options.TimeProvider);
        Channel<EntriesFound> found = network.CreateChannel<EntriesFound>("EntriesFound", copies);
        Channel<BlocksHashed> hashed = network.CreateChannel<BlocksHashed>("BlocksHashed", copies);
        Channel<EntriesRead> read = network.CreateChannel<EntriesRead>("EntriesRead", copies);
        Channel<BlocksHashed> fresh = network.CreateChannel<BlocksHashed>("fresh BlocksHashed", copies);
        Channel<BlocksCompressed> compressed = network.CreateChannel<BlocksCompressed>("BlocksCompressed", copies);
        Channel<VolumeBuilt> built = network.CreateChannel<VolumeBuilt>("VolumeBuilt", 1);
        Channel<VolumeEncrypted> encrypted = network.CreateChannel<VolumeEncrypted>("VolumeEncrypted", 1);

        // One volume being filled, one being encrypted for each two cores, at most two, and those
        // being written.
        using SemaphoreSlim slots = new(1 + Math.Clamp(copies / 2, 1, 2) + uploads);
        using Owned<FileReader> readers = new();
        using Owned<BlockCompressor> compressors = new();
        using VolumeBuilder builder = new(settings, pool, created, slots);
        VolumeEncryptor encryptor = new(sealer);
        SourceWalker walker = new(settings, changed);

        network.AddSource("SourceWalker", found, walker.RunAsync, onOwnThreads: true);
        network.Add(
            "FileReader",
            settings.FileReaders,
            onOwnThreads: true,
            ports =>
            {
                IReadChannelEnd<EntriesFound> input = ports.Read(found);
                IWriteChannelEnd<BlocksHashed> blocks = ports.Write(hashed);
                IWriteChannelEnd<EntriesRead> entries = ports.Write(read);
                FileReader reader = readers.Add(new FileReader(settings, pool, previous, meter));
                return _ => reader.RunAsync(input, blocks, entries);
            }
        );
        network.AddSink("EntryCollector", 1, read, (input, _) => collector.RunAsync(input), onOwnThreads: true);
        network.AddStage(
            "BlockDeduplicator",
            1,
            hashed,
            fresh,
            (input, output, _) => deduplicator.RunAsync(input, output)
        );
        network.Add(
            "BlockCompressor",
            settings.Compressors,
            ports =>
            {
                IReadChannelEnd<BlocksHashed> input = ports.Read(fresh);
                IWriteChannelEnd<BlocksCompressed> output = ports.Write(compressed);
                BlockCompressor compressor = compressors.Add(new BlockCompressor(settings, pool));
                return _ => compressor.RunAsync(input, output);
            }
        );
        network.AddStage("VolumeBuilder", 1, compressed, built, builder.RunAsync);
        network.AddStage(
            "VolumeEncryptor",
            copies,
            built,
            encrypted,
            (input, output, _) => encryptor.RunAsync(input, output)
        );
        network.AddSink("VolumeWriter", uploads, encrypted, writer.RunAsync);
        await network.RunAsync(cancellationToken).ConfigureAwait(false);
        LeftOut = walker.LeftOut;
        IsStopped = walker.IsStopped || readers.Items.Any(reader => reader.IsStopped);
        return NetworkProfile.Of(network.Profile(), readers.Items);
    }

    /// <summary>What the copies of a process own; disposed when all have ended.</summary>
    private sealed class Owned<T> : IDisposable
        where T : IDisposable
    {
        private readonly List<T> items = [];

        public IReadOnlyList<T> Items => items;

        public T Add(T item)
        {
            items.Add(item);
            return item;
        }

        public void Dispose() => items.ForEach(item => item.Dispose());
    }
}
