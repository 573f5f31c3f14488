using Restore.Catalog.Locating;
using Restore.Writing.Source;

namespace Restore.Writing;

/// <summary>
/// The entries of the newest version, by path: about 100 bytes each, without the paths.
/// </summary>
/// <param name="listBytes">Length of the list; what it decodes to can be a thousand times as
/// long.</param>
internal sealed class PreviousEntries(ReferencedBlocks references, DateTimeOffset time, long listBytes) : IFileListSink
{
    // The hashes of an entry do not compress, so an honest list takes at most some ten times its
    // length here. Entries beyond are not kept: their files are read.
    private const long FreeBytes = 64 << 20;
    private const int BytesOfListByte = 16;
    private const int BytesOfEntry = 160;

    // A file that was changed in the second in which it was read has the time of the list, and
    // perhaps its size: times of lists are whole seconds.
    private static readonly TimeSpan Doubtful = TimeSpan.FromSeconds(2);

    // The clock of a file server can differ from the clock that gave the version its time, and
    // clocks can be set back. Metadata has times to 100 ns, and shows a change.
    private static readonly TimeSpan Disagreement = TimeSpan.FromDays(1);

    private readonly Dictionary<UInt128, int> rowOf = [];
    private readonly SegmentedList<Row> rows = new();
    private readonly ByteArena bytes = new();
    private readonly List<byte[]> blocklists = [];
    private long leftBytes = FreeBytes + (BytesOfListByte * listBytes);

    public int Count => rows.Count;

    /// <summary>
    /// Whether the contents of all files are stored. It is known only after they were compared.
    /// </summary>
    public bool AreAllStored { get; private set; }

    public void Entry(in FileListEntry entry)
    {
        int bytesOfEntry =
            BytesOfEntry
            + entry.Hash.Length
            + entry.BlockHash.Length
            + entry.MetaHash.Length
            + entry.BlocklistHashes.Length;
        if ((leftBytes -= bytesOfEntry) < 0)
        {
            return;
        }

        if (entry.Kind.IsFile())
        {
            references.Add(entry.Hash, entry.SizeBytes, entry.BlockHash, entry.BlocklistHashes);
        }

        rowOf[KeyOf(entry.Path)] = rows.Add(
            new Row
            {
                Kind = entry.Kind,
                SizeBytes = entry.SizeBytes,
                Second = entry.TimeTicks / TimeSpan.TicksPerSecond,
                Hash = Keep(entry.Hash),
                BlockHash = Keep(entry.BlockHash),
                MetaHash = Keep(entry.MetaHash),
                Blocklists = entry.BlocklistHashes.IsEmpty ? -1 : blocklists.Count,
            }
        );
        if (!entry.BlocklistHashes.IsEmpty)
        {
            blocklists.Add(entry.BlocklistHashes.ToArray());
        }
    }

    public void Unusable(string path, string reason)
    {
        // The entry is not kept, so its file is read.
    }

    /// <param name="isStored">Whether the backup has a block; also asked about none, for a block
    /// that is not known.</param>
    public void Compare(Predicate<BlockId> isStored)
    {
        ContentStates states = new(references, isStored, needsLists: true);
        AreAllStored = true;
        for (int row = 0; row < rows.Count; row++)
        {
            ref Row one = ref rows[row];
            one.IsStored =
                one.Kind.IsFile()
                && states.Of(Get(one.Hash), one.SizeBytes, Get(one.BlockHash), ListsOf(one)) == ContentState.There;
            AreAllStored &= one.IsStored || !one.Kind.IsFile();
        }
    }

    /// <summary>
    /// The content of a file, if it need not be read: size and time are as they were, and its
    /// blocks are stored.
    /// </summary>
    /// <param name="path">The path as in a list, in UTF-8.</param>
    /// <param name="metaHash">The hash of its metadata now, which has its time to 100 ns; empty if
    /// no metadata is kept.</param>
    public ContentHashes? Unchanged(ReadOnlySpan<byte> path, in SourceStatus status, ReadOnlySpan<byte> metaHash)
    {
        if (!rowOf.TryGetValue(KeyOf(path), out int number) || rows[number] is not { IsStored: true } row)
        {
            return null;
        }

        // A program can set the time of a file back after it wrote to it, as VeraCrypt does with
        // its containers, and a copy that keeps the time can replace the file. The system has
        // another time of the change, which no program can set.
        bool isTouched =
            status.ChangedTicks != status.LastWriteTicks
            && status.ChangedTicks > (time + TimeSpan.FromSeconds(1)).UtcTicks;
        bool hasOtherMetadata = !metaHash.IsEmpty && !Get(row.MetaHash).SequenceEqual(metaHash);
        if (isTouched || hasOtherMetadata)
        {
            return null;
        }

        long timeTicks = status.LastWriteTicks;
        bool isSame = row.SizeBytes == status.SizeBytes && row.Second == timeTicks / TimeSpan.TicksPerSecond;
        bool hasFineTime = !metaHash.IsEmpty && timeTicks % TimeSpan.TicksPerSecond != 0;
        bool isOld = new DateTimeOffset(timeTicks, TimeSpan.Zero) < time - (hasFineTime ? Disagreement : Doubtful);
        bool isSure = isOld || hasFineTime;
        return isSame && isSure
            ? new ContentHashes(row.SizeBytes, Get(row.Hash).ToArray(), Get(row.BlockHash).ToArray(), ListsOf(row))
            : null;
    }

    /// <summary>Whether the version has this entry as it will be in the next one.</summary>
    public bool HasSame(
        ReadOnlySpan<byte> path,
        EntryKind kind,
        long timeTicks,
        in ContentHashes content,
        ReadOnlySpan<byte> metaHash
    ) =>
        rowOf.TryGetValue(KeyOf(path), out int number)
        && rows[number] is var row
        && row.Kind == kind
        && (
            kind != EntryKind.File
            || (row.SizeBytes == content.SizeBytes && row.Second == timeTicks / TimeSpan.TicksPerSecond)
        )
        && Get(row.Hash).SequenceEqual(content.Hash)
        && Get(row.MetaHash).SequenceEqual(metaHash);

    private static UInt128 KeyOf(ReadOnlySpan<byte> path)
    {
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(path, hash);
        return BinaryPrimitives.ReadUInt128LittleEndian(hash);
    }

    private byte[] ListsOf(in Row row) => row.Blocklists < 0 ? [] : blocklists[row.Blocklists];

    private long Keep(ReadOnlySpan<byte> value) => value.IsEmpty ? 0 : bytes.Add(value);

    private ReadOnlySpan<byte> Get(long kept) => bytes.Get(kept);

    private struct Row
    {
        public EntryKind Kind;
        public bool IsStored;
        public int Blocklists;
        public long SizeBytes;
        public long Second;
        public long Hash;
        public long BlockHash;
        public long MetaHash;
    }
}
