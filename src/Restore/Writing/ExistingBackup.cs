using Restore.Compression;
using Restore.Encryption;
using Restore.Format;
using Restore.Memory;
using Restore.Storage;

namespace Restore.Writing;

/// <summary>What the destination has already: the blocks that its index volumes list, and its newest version.</summary>
internal sealed partial class ExistingBackup
{
    // As in a restore: requests to a remote store wait, reads of a local one compute.
    private const int RemoteReads = 16;

    // A volume with a damaged header looks like one of another passphrase.
    private const int MaxRefused = 3;

    private readonly Destination destination;
    private readonly BufferPool pool;
    private readonly VolumeCiphers ciphers;
    private readonly Dictionary<string, (VolumeName Name, StoredFile File)> volumes = new(StringComparer.Ordinal);
    private readonly HashSet<string> reported = new(StringComparer.Ordinal);
    private BlocklistCopies? copies;
    private bool isLayoutKnown;
    private volatile bool isOpened;
    private int refused;

    private ExistingBackup(WriterSettings settings, Destination destination, BufferPool pool)
    {
        (Settings, this.destination, this.pool) = (settings, destination, pool);
        ciphers = new VolumeCiphers(new BackupOptions { Passphrase = settings.Options.Passphrase }, pool);
        Blocks = new BlockSet(1);
    }

    /// <summary>The settings of the writer, with what the backup decides: block size and hashes.</summary>
    public WriterSettings Settings { get; private set; }

    public BlockSet Blocks { get; private set; }

    public DateTimeOffset? NewestVersion { get; private set; }

    /// <summary>The entries of the newest version; null if there is none that can be read.</summary>
    public PreviousEntries? Previous { get; private set; }

    public List<RestoreIssue> Issues { get; } = [];

    /// <summary>The block volumes whose blocks are not stored again.</summary>
    public List<StoredFile> Used { get; } = [];

    /// <param name="settings">The settings of the writer.</param>
    /// <param name="destination">The store.</param>
    /// <param name="files">The files in it.</param>
    /// <param name="pool">The source of buffers.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="RestoreException">The existing backup differs in encryption, passphrase, block size or hashes.</exception>
    public static async Task<ExistingBackup> ReadAsync(
        WriterSettings settings, Destination destination, IReadOnlyList<StoredFile> files, BufferPool pool, CancellationToken cancellationToken)
    {
        ExistingBackup existing = new(settings, destination, pool);
        foreach (StoredFile file in files)
        {
            if (VolumeName.TryParse(file.Name, out VolumeName name) && name.Prefix == settings.Prefix)
            {
                existing.volumes[file.Name] = (name, file);
            }
        }

        existing.RequireSameEncryption();
        await existing.ReadNewestAsync(cancellationToken).ConfigureAwait(false);
        await existing.ReadIndexesAsync(cancellationToken).ConfigureAwait(false);
        await existing.ReadLeftOverAsync(cancellationToken).ConfigureAwait(false);
        existing.RequireReadable();
        existing.Settings = existing.isLayoutKnown ? existing.Settings : WriterSettings.Resolve(settings.Options, existing.Settings.Layout);
        existing.Previous?.Compare(existing.Blocks, existing.copies!.Find);
        existing.copies = null;
        existing.Issues.Sort((left, right) => string.CompareOrdinal(left.Path, right.Path));
        return existing;
    }

    /// <summary>Reads the newest list. If it is damaged, every file is read again.</summary>
    private async Task ReadNewestAsync(CancellationToken cancellationToken)
    {
        (VolumeName Name, StoredFile File)[] lists =
        [
            .. volumes.Values.Where(volume => volume.Name.Kind == VolumeKind.FileList).OrderByDescending(volume => volume.Name.Time),
        ];
        if (lists.Length > 0)
        {
            NewestVersion = lists[0].Name.Time;
            await ReadAsync(lists[0], archive => ReadList(archive, lists[0].Name.Time, cancellationToken), "The newest file list", cancellationToken)
                .ConfigureAwait(false);
        }
    }

    private void ReadList(Archive archive, DateTimeOffset time, CancellationToken cancellationToken)
    {
        // In zip archives the manifest may come after the list.
        ArchiveEntry? list = null;
        bool hasManifest = false;
        while (archive.MoveNext(out ArchiveEntry entry))
        {
            ReadOnlySpan<byte> name = archive.NameOf(entry);
            if (name.SequenceEqual("manifest"u8))
            {
                TakeLayout(ManifestReading.Read(archive, entry).Layout);
                hasManifest = true;
            }

            list = name.SequenceEqual("filelist.json"u8) ? entry : list;
        }

        if (list is not { } found || !hasManifest || !archive.IsRandomAccess || archive.IsSalvaged)
        {
            throw new InvalidDataException(archive.SalvageReason ?? "It has no manifest or no list");
        }

        PreviousEntries entries = new(Settings.Layout, time);
        using Stream json = archive.Open(found, long.MaxValue);
        FileListReader.Read(json, entries, Settings.Layout, cancellationToken);
        Previous = entries;
    }

    private async Task ReadIndexesAsync(CancellationToken cancellationToken)
    {
        (VolumeName Name, StoredFile File)[] indexes = [.. volumes.Values.Where(volume => volume.Name.Kind == VolumeKind.Index)];
        for (int i = 0; i < indexes.Length && !isLayoutKnown; i++)
        {
            await ReadAsync(indexes[i], TakeLayout, "The index volume", cancellationToken).ConfigureAwait(false);
        }

        copies = new BlocklistCopies(Settings.Layout, Previous?.BlocklistHashes ?? []);
        Blocks = new BlockSet(Settings.Layout.BlockHash.LengthBytes());
        ParallelOptions concurrent = new()
        {
            MaxDegreeOfParallelism = destination.IsLocal ? Environment.ProcessorCount : RemoteReads,
            CancellationToken = cancellationToken,
        };
        await Parallel.ForEachAsync(
            indexes, concurrent, async (index, token) => await ReadAsync(index, ReadIndex, "The index volume", token).ConfigureAwait(false))
            .ConfigureAwait(false);
    }

    /// <summary>The first run can have been killed before its first index volume: what it has left is of one passphrase and layout too.</summary>
    private async Task ReadLeftOverAsync(CancellationToken cancellationToken)
    {
        if (volumes.Count > 0 && volumes.Values.All(volume => volume.Name.Kind == VolumeKind.Block))
        {
            await ReadAsync(volumes.Values.MinBy(volume => volume.File.SizeBytes), TakeLayout, "A block volume", cancellationToken).ConfigureAwait(false);
        }
    }

    private async ValueTask ReadAsync(
        (VolumeName Name, StoredFile File) volume, Action<Archive> read, string what, CancellationToken cancellationToken)
    {
        try
        {
            PooledBuffer content = await destination.ReadAsync(volume.File, pool, cancellationToken).ConfigureAwait(false);
            DecryptedVolume plain = ciphers.For(volume.Name.Encryption) is { } cipher
                ? await cipher.DecryptAsync(content, cancellationToken).ConfigureAwait(false)
                : new DecryptedVolume(content, 0, content.Length, Authentic: true, Defect: null);
            using PooledBuffer owned = plain.Buffer;
            if (!plain.Authentic)
            {
                throw new InvalidDataException(plain.Defect);
            }

            isOpened = true;
            using Archive archive = ArchiveReader.Open(volume.Name.Archive, plain.Memory, Settings.Codecs);
            read(archive);
        }
        catch (PassphraseException) when (!isOpened && Interlocked.Increment(ref refused) >= MaxRefused)
        {
            throw WrongPassphrase();
        }
        catch (Exception failure) when (failure is PassphraseException or InvalidDataException or UnsupportedMethodException or IOException
            or UnauthorizedAccessException)
        {
            string follows = volume.Name.Kind switch
            {
                VolumeKind.Index => "so its blocks may be stored again",
                VolumeKind.FileList => "so every file is read",
                _ => "and is not used",
            };
            Report(volume.Name.Name, $"{what} cannot be used, {follows}: {failure.Reason()}");
        }
    }

    private void TakeLayout(Archive archive)
    {
        while (!isLayoutKnown && archive.MoveNext(out ArchiveEntry entry))
        {
            if (archive.NameOf(entry).SequenceEqual("manifest"u8))
            {
                TakeLayout(ManifestReading.Read(archive, entry).Layout);
            }
        }
    }

    private void ReadIndex(Archive archive)
    {
        // The blocks count only if the manifest fits and the whole index was read: the manifest may come after the list.
        IndexContent content = new(Settings.Layout);
        while (archive.MoveNext(out ArchiveEntry entry))
        {
            ReadOnlySpan<byte> name = archive.NameOf(entry);
            if (name.SequenceEqual("manifest"u8))
            {
                TakeLayout(ManifestReading.Read(archive, entry).Layout);
            }
            else
            {
                content.Read(archive, entry, copies!);
            }
        }

        lock (volumes)
        {
            foreach (IndexContent.Described volume in content.Volumes)
            {
                Take(volume);
            }

            content.AddTo(copies!);
        }
    }

    /// <summary>Takes the blocks of a volume over. Blocks in a volume that is missing, or is not the one described, must be stored again.</summary>
    private void Take(IndexContent.Described described)
    {
        bool isThere = volumes.TryGetValue(described.Name, out (VolumeName, StoredFile File) volume)
            && (described.SizeBytes is null || described.SizeBytes == volume.File.SizeBytes);
        if (isThere)
        {
            Used.Add(volume.File);
            described.Blocks.ForEach(block => Blocks.TryAdd(block.Hash, block.SizeBytes, out _));
        }
        else
        {
            Report(described.Name, "An index volume describes it, but it is missing or has another size; its blocks are stored again");
        }
    }

    /// <summary>The first manifest decides what was not asked for; all others must agree.</summary>
    private void TakeLayout(BlockLayout layout)
    {
        BackupWriterOptions options = Settings.Options;
        bool isAsked = (options.BlockSizeBytes ?? layout.BlockSizeBytes) == layout.BlockSizeBytes
            && (options.BlockHash ?? layout.BlockHash.ManifestName()) == layout.BlockHash.ManifestName()
            && (options.FileHash ?? layout.FileHash.ManifestName()) == layout.FileHash.ManifestName();
        if (!isAsked || (isLayoutKnown && layout != Settings.Layout))
        {
            throw OfAnotherKind(
                $"it has blocks of {layout.BlockSizeBytes:N0} bytes with the hashes {layout.BlockHash.ManifestName()} and {layout.FileHash.ManifestName()}");
        }

        if (!isLayoutKnown)
        {
            Settings = WriterSettings.Resolve(options, layout);
            isLayoutKnown = true;
        }
    }

    private void Report(string path, string reason)
    {
        lock (Issues)
        {
            if (reported.Add(path))
            {
                Issues.Add(new RestoreIssue(IssueKind.Warning, path, reason));
            }
        }
    }
}
