using System.Collections.Concurrent;
using Restore.Csp;
using Restore.Format;
using Restore.Memory;
using Restore.Storage;
using Restore.Writing;
using Restore.Writing.Messages;

namespace Restore.Maintenance.Compacting;

/// <summary>Encrypts new block volumes and puts them into the store, each with the index volume that describes it after it.</summary>
internal sealed class VolumeSaver(WriterSettings settings, BufferPool pool, DateTimeOffset created, RetryingSink sink)
{
    private readonly VolumeSealer sealer = new(settings, pool, created);
    private readonly ConcurrentBag<StoredFile> saved = [];
    private readonly ConcurrentDictionary<string, bool> named = new(StringComparer.Ordinal);
    private int volumes;

    /// <summary>All volumes that were put.</summary>
    public IReadOnlyCollection<StoredFile> Saved => saved;

    /// <summary>Block volumes that were put.</summary>
    public int Volumes => volumes;

    public async Task RunAsync(IReadChannelEnd<VolumeBuilt> input, CancellationToken cancellationToken)
    {
        await foreach (VolumeBuilt built in input.ReadAllAsync().ConfigureAwait(false))
        {
            using VolumeBuilt owned = built;
            using PooledBuffer content = sealer.Seal(built.TakeArchive());
            byte[] hash = new byte[settings.Layout.FileHash.LengthBytes()];
            settings.Layout.FileHash.HashData(content.Span, hash);
            string name = await PutAsync(VolumeName.FormatBlock, content, cancellationToken).ConfigureAwait(false);

            // The name is known only now: a try that failed has had another one.
            IndexedVolume indexed = new(name, hash, content.Length) { Blocks = [.. built.Blocks], Blocklists = [.. built.Blocklists] };
            using PooledBuffer index = sealer.SealIndex(indexed).Content;
            await PutAsync(VolumeName.FormatIndex, index, cancellationToken).ConfigureAwait(false);
            Interlocked.Increment(ref volumes);
        }
    }

    /// <summary>Whether a volume of this name was put, or was tried to be: what a failed try left does no harm.</summary>
    public bool HasNamed(string name) => named.ContainsKey(name);

    /// <summary>Compares a listing of the store with what was put.</summary>
    /// <exception cref="RestoreException">A volume is not there, or not whole.</exception>
    public void RequireSaved(IEnumerable<StoredFile> listed)
    {
        Dictionary<string, long> there = [];
        foreach (StoredFile file in listed)
        {
            there[file.Name] = file.SizeBytes;
        }

        foreach (StoredFile file in saved)
        {
            if (!there.TryGetValue(file.Name, out long sizeBytes) || sizeBytes != file.SizeBytes)
            {
                throw new RestoreException(
                    RestoreErrorCode.DestinationNotWritable, "The store does not have the new volume as it was written, so nothing was deleted", file.Name);
            }
        }
    }

    private async Task<string> PutAsync(
        Func<string, Guid, ArchiveKind, EncryptionKind, string> nameOf, PooledBuffer content, CancellationToken cancellationToken)
    {
        string put = await sink.PutAsync(NewName, content.Memory, cancellationToken).ConfigureAwait(false);
        saved.Add(new StoredFile(put, content.Length));
        return put;

        string NewName(int trial)
        {
            string name = nameOf(settings.Prefix, Guid.NewGuid(), ArchiveKind.Zip, settings.Encryption);
            named[name] = true;
            return name;
        }
    }
}
