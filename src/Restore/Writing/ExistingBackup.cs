using System.Text;
using Restore.Compression;
using Restore.Encryption;
using Restore.Format;
using Restore.Memory;

namespace Restore.Writing;

/// <summary>What the destination has already: the blocks that its index volumes list, and the time of its newest version.</summary>
internal sealed class ExistingBackup
{
    private const long MaxIndexEntryBytes = 4L << 30;

    private readonly WriterSettings settings;
    private readonly BufferPool pool;
    private readonly Dictionary<string, (VolumeName Name, long SizeBytes)> volumes;

    private ExistingBackup(WriterSettings settings, BufferPool pool, Dictionary<string, (VolumeName Name, long SizeBytes)> volumes)
    {
        this.settings = settings;
        this.pool = pool;
        this.volumes = volumes;
        Blocks = new BlockSet(settings.Layout.BlockHash.LengthBytes());
    }

    public BlockSet Blocks { get; }

    public DateTimeOffset? NewestVersion { get; private init; }

    public List<RestoreIssue> Issues { get; } = [];

    /// <exception cref="RestoreException">The existing backup differs in encryption, passphrase, block size or hashes.</exception>
    public static async Task<ExistingBackup> ReadAsync(
        WriterSettings settings, DestinationFolder destination, BufferPool pool, CancellationToken cancellationToken)
    {
        Dictionary<string, (VolumeName Name, long SizeBytes)> volumes = destination.List(settings.Options.Prefix);
        DateTimeOffset[] times = [.. volumes.Values.Where(volume => volume.Name.Kind == VolumeKind.FileList).Select(volume => volume.Name.Time)];
        ExistingBackup existing = new(settings, pool, volumes) { NewestVersion = times.Length == 0 ? null : times.Max() };
        if (volumes.Values.Any(volume => volume.Name.Encryption != settings.Encryption))
        {
            throw existing.OfAnotherKind("its encryption is another than asked for");
        }

        VolumeCiphers ciphers = new(new BackupOptions { Passphrase = settings.Options.Passphrase }, pool);
        IEnumerable<VolumeName> indexes = volumes.Values.Select(volume => volume.Name).Where(name => name.Kind == VolumeKind.Index);
        foreach (VolumeName index in indexes.OrderBy(name => name.Name, StringComparer.Ordinal))
        {
            PooledBuffer content = await destination.ReadAsync(index.Name, pool, cancellationToken).ConfigureAwait(false);
            await existing.ReadIndexAsync(index, content, ciphers.For(index.Encryption), cancellationToken).ConfigureAwait(false);
        }

        return existing;
    }

    private async ValueTask ReadIndexAsync(VolumeName name, PooledBuffer content, IVolumeCipher? cipher, CancellationToken cancellationToken)
    {
        try
        {
            DecryptedVolume plain = cipher is null
                ? new DecryptedVolume(content, 0, content.Length, Authentic: true, Defect: null)
                : await cipher.DecryptAsync(content, cancellationToken).ConfigureAwait(false);
            using PooledBuffer owned = plain.Buffer;
            if (!plain.Authentic)
            {
                throw new InvalidDataException(plain.Defect);
            }

            using Archive archive = ArchiveReader.Open(name.Archive, plain.Memory, settings.Codecs);
            ReadEntries(archive);
        }
        catch (PassphraseException failure)
        {
            throw new RestoreException(
                RestoreErrorCode.DestinationPassphraseWrong,
                "The passphrase does not open the backup that is in the destination",
                settings.Options.Destination,
                failure);
        }
        catch (Exception failure) when (failure is InvalidDataException or UnsupportedMethodException)
        {
            Issues.Add(new RestoreIssue(
                IssueKind.Warning, name.Name, $"The index volume cannot be used, so its blocks may be stored again: {failure.Reason()}"));
        }
    }

    private void ReadEntries(Archive archive)
    {
        // The blocks count only if the manifest fits and the whole list was read: the manifest may come after the list.
        List<(byte[] Hash, int SizeBytes)> listed = [];
        while (archive.MoveNext(out ArchiveEntry entry))
        {
            ReadOnlySpan<byte> name = archive.NameOf(entry);
            if (name.SequenceEqual("manifest"u8))
            {
                RequireSameLayout(archive, entry);
            }
            else if (IndexEntryName.TryGetVolume(name, out ReadOnlySpan<byte> described))
            {
                ReadBlocks(archive, entry, Encoding.UTF8.GetString(described), listed);
            }
        }

        listed.ForEach(block => Blocks.TryAdd(block.Hash, block.SizeBytes, out _));
    }

    private void RequireSameLayout(Archive archive, in ArchiveEntry entry)
    {
        BlockLayout layout = ManifestReading.Read(archive, entry).Layout;
        if (layout != settings.Layout)
        {
            throw OfAnotherKind(
                $"it has blocks of {layout.BlockSizeBytes:N0} bytes with the hashes {layout.BlockHash.ManifestName()} and {layout.FileHash.ManifestName()}");
        }
    }

    private void ReadBlocks(Archive archive, in ArchiveEntry entry, string described, List<(byte[] Hash, int SizeBytes)> listed)
    {
        int before = listed.Count;
        using Stream json = archive.Open(entry, MaxIndexEntryBytes);
        IndexVolumeInfo info = IndexVolumeReader.ReadBlocks(json, new ListSink(listed), settings.Layout);

        // Blocks in a volume that is missing, or is not the one described, must be stored again.
        bool isThere = volumes.TryGetValue(described, out (VolumeName Name, long SizeBytes) volume)
            && (info.VolumeSizeBytes is null || info.VolumeSizeBytes == volume.SizeBytes);
        if (!isThere)
        {
            listed.RemoveRange(before, listed.Count - before);
            Issues.Add(new RestoreIssue(
                IssueKind.Warning, described, "An index volume describes it, but it is missing or has another size; its blocks are stored again"));
        }
    }

    private RestoreException OfAnotherKind(string what) => new(
        RestoreErrorCode.DestinationIncompatible,
        $"The destination holds a backup that this version cannot be added to: {what}",
        settings.Options.Destination);

    private sealed class ListSink(List<(byte[] Hash, int SizeBytes)> listed) : IIndexSink
    {
        public void Block(ReadOnlySpan<byte> hash, long sizeBytes) => listed.Add((hash.ToArray(), (int)sizeBytes));
    }
}
