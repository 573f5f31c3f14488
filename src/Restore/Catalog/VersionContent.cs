namespace Restore.Catalog;

/// <summary>
/// An entry of a version: name, folder, kind, content and metadata (-1 for none). Without padding,
/// since a version has millions.
/// </summary>
[StructLayout(LayoutKind.Sequential, Pack = 1)]
internal record struct EntryRow(
    long Name,
    int Folder,
    EntryKind Kind,
    ContentId Content,
    ContentId Metadata,
    long TimeTicks
);

/// <summary>
/// The selected entries of one version with their contents and blocks, in flat tables: about 130
/// bytes and the name for a small file.
/// </summary>
internal sealed class VersionContent(BackupVersion version, BlockLayout layout)
{
    /// <summary>
    /// Longest metadata: a blob describes one entry. Duplicati's own are a few hundred bytes, with
    /// large access lists some KiB, and many are in memory at once.
    /// </summary>
    public const long MaxMetadataBytes = 1 << 20;

    /// <summary>
    /// 32 Mi blocks take 400 MB of memory; a file of 1 MiB blocks has as many at 32 TiB. A whole
    /// plan or export may have four times as many.
    /// </summary>
    public const long MaxBlocksPerFile = 32L << 20;

    /// <summary>
    /// Length of the rows in a saved plan. A plan with another length was saved in another form,
    /// and is refused.
    /// </summary>
    public static readonly int RowBytes = Unsafe.SizeOf<EntryRow>() + Unsafe.SizeOf<ContentDetail>();

    private readonly SegmentedList<long> folders = new();
    private readonly HashList fileHashes = new(layout.FileHash.LengthBytes());

    private readonly SegmentedList<ContentDetail> details = new();

    // The blocks of all needed contents of more than one block; none while a block is unknown.
    private readonly SegmentedList<BlockId> sequenceBlocks = new();
    private int selectedCount = int.MaxValue;

    public BackupVersion Version { get; } = version;

    /// <summary>
    /// The names and the folders of the entries. What is made for the content can have others
    /// there.
    /// </summary>
    public ByteArena Names { get; } = new();

    public BlockLayout Layout { get; } = layout;

    public SegmentedList<EntryRow> Entries { get; } = new();

    /// <summary>
    /// Number of the selected entries. Folders above them, which are not selected, come after them.
    /// </summary>
    public int SelectedCount => Math.Min(selectedCount, Entries.Count);

    /// <summary>Number of blocks of all needed contents of more than one block.</summary>
    public int SequenceBlockCount => sequenceBlocks.Count;

    public SegmentedList<BlockId> Blocklists { get; } = new();

    public BlockTable Blocks { get; } = new(layout.BlockHash);

    /// <summary>
    /// The versions that have each entry, if the content holds several versions; else empty.
    /// </summary>
    public SegmentedList<VersionRange> Spans { get; } = new();

    public IssueLog Issues { get; } = new();

    /// <summary>
    /// Paths of files that the backup has and this content leaves out on purpose. No plan has them.
    /// </summary>
    public List<byte[]> LeftOut { get; } = [];

    public int AddEntry(
        ReadOnlySpan<byte> path,
        EntryKind kind,
        ContentId content,
        ContentId metadata,
        long timeTicks
    ) =>
        Entries.Add(
            new EntryRow(
                Names.Add(path[FolderLength(path)..]),
                FolderOf(path[..FolderLength(path)]),
                kind,
                content,
                metadata,
                timeTicks
            )
        );

    /// <summary>
    /// Reports that the metadata of an entry cannot be used, by what the version says about it.
    /// Nothing is left of a link without it.
    /// </summary>
    public void AddMetadataLoss(string path, EntryKind kind, string problem) =>
        Issues.Add(
            new RestoreIssue(
                kind == EntryKind.Symlink ? IssueKind.Missing : IssueKind.Metadata,
                path,
                $"The metadata is lost: {problem}"
            )
            {
                MetadataLost = true,
            }
        );

    /// <summary>
    /// Adds a content without blocks, or with blocks that are unknown so far. Its hash may be
    /// unknown.
    /// </summary>
    public ContentId AddContent(long sizeBytes, ReadOnlySpan<byte> fileHash) =>
        new(
            ~details.Add(
                new ContentDetail(
                    sizeBytes,
                    fileHash.IsEmpty ? -1 : fileHashes.Add(fileHash),
                    FirstBlocklist: -1,
                    FirstBlock: -1
                )
            ) - 1
        );

    /// <summary>Adds a content that has the hash and the length of its only block.</summary>
    public ContentId AddContent(BlockId block)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(block.Value, nameof(block));
        return new ContentId(block);
    }

    /// <summary>
    /// Sets where the blocklists of a content with a hash of its own start in
    /// <see cref="Blocklists"/>.
    /// </summary>
    public void SetFirstBlocklist(ContentId content, int first) => DetailOf(content).FirstBlocklist = first;

    /// <summary>
    /// Where the blocklists of a content start in <see cref="Blocklists"/>; -1 if it has none.
    /// </summary>
    public int FirstBlocklistOf(ContentId content) => HasDetail(content) ? DetailOf(content).FirstBlocklist : -1;

    /// <summary>
    /// Whether the blocks of a content have a place. A single block always has one.
    /// </summary>
    public bool HasSequence(ContentId content) => IsOneBlock(content) || DetailOf(content).FirstBlock >= 0;

    /// <summary>Reserves a place for the blocks of a content that has several.</summary>
    public void AddSequence(ContentId content) =>
        DetailOf(content).FirstBlock = sequenceBlocks.AddMany(BlockId.None, BlockCountOf(content));

    /// <summary>
    /// Adds a content of another version of the same layout, as its list describes it.
    /// </summary>
    public ContentId AddCopy(VersionContent from, ContentId content)
    {
        if (content.IsNone)
        {
            return content;
        }

        if (!HasDetail(content))
        {
            return AddContent(Copy(from.BlockOf(content, 0)));
        }

        ContentId added = AddContent(from.SizeOf(content), from.HasFileHash(content) ? from.FileHashOf(content) : []);
        if (from.FirstBlocklistOf(content) is int first and >= 0)
        {
            SetFirstBlocklist(added, Blocklists.Count);
            for (int i = 0; i < Layout.BlocklistCount(from.SizeOf(content)); i++)
            {
                Blocklists.Add(Copy(from.Blocklists[first + i]));
            }
        }

        if (from.HasSequence(content))
        {
            if (!HasSequence(added))
            {
                AddSequence(added);
            }

            for (int index = 0; index < BlockCountOf(added); index++)
            {
                SetBlock(added, index, Copy(from.BlockOf(content, index)));
            }
        }

        return added;

        BlockId Copy(BlockId block) =>
            block.IsNone ? block : Blocks.GetOrAdd(from.Blocks.HashOf(block), from.Blocks.SizeOf(block));
    }

    /// <summary>
    /// The versions that have an entry, if the content holds several versions; else null.
    /// </summary>
    public VersionRange? VersionsOf(EntryId entry) => Spans.Count == 0 ? null : Spans[entry];

    /// <summary>The path of a folder by its number (<see cref="EntryRow.Folder"/>).</summary>
    public ReadOnlySpan<byte> FolderPath(int folder) => Names.Get(folders[folder]);

    /// <param name="buffer">Receives the path; enlarged if necessary, and reused from call to
    /// call.</param>
    public ReadOnlySpan<byte> PathOf(EntryId entry, ref byte[] buffer)
    {
        ReadOnlySpan<byte> folder = FolderPath(Entries[entry].Folder);
        ReadOnlySpan<byte> name = Names.Get(Entries[entry].Name);
        int length = folder.Length + name.Length;
        if (buffer.Length < length)
        {
            buffer = new byte[length];
        }

        folder.CopyTo(buffer);
        name.CopyTo(buffer.AsSpan(folder.Length));
        return buffer.AsSpan(0, length);
    }

    public string PathText(EntryId entry)
    {
        byte[] buffer = [];
        return Encoding.UTF8.GetString(PathOf(entry, ref buffer));
    }

    /// <summary>
    /// Whether an entry is a folder above the selected entries that is not selected itself.
    /// </summary>
    public bool IsAbove(EntryId entry) => entry >= selectedCount;

    /// <summary>Says that the entries from here on are folders above the others.</summary>
    public void EndSelection(int? count = null) => selectedCount = count ?? Entries.Count;

    public bool IsFile(EntryId entry) => Entries[entry].Kind.IsFile();

    public long SizeOf(EntryId entry) => SizeOf(Entries[entry].Content);

    public long SizeOf(ContentId content) =>
        content.IsNone ? 0
        : HasDetail(content) ? DetailOf(content).SizeBytes
        : Blocks.SizeOf(new BlockId(content));

    public ReadOnlySpan<byte> FileHashOf(ContentId content) =>
        HasDetail(content) ? fileHashes[DetailOf(content).FileHash] : Blocks.HashOf(new BlockId(content));

    /// <summary>
    /// Whether the file hash is known. It is not known if it equals the hash of a block, and the
    /// block is lost.
    /// </summary>
    public bool HasFileHash(ContentId content) => !HasDetail(content) || DetailOf(content).FileHash >= 0;

    /// <summary>
    /// Whether the file hash is the hash of the only block, so that one check covers both.
    /// </summary>
    public bool IsCoveredByBlockHash(ContentId content) =>
        BlockCountOf(content) == 1
        && Layout.FileHash == Layout.BlockHash
        && (
            !HasDetail(content)
            || !HasFileHash(content)
            || FileHashOf(content).SequenceEqual(Blocks.HashOf(BlockOf(content, 0)))
        );

    /// <summary>
    /// Writes the tables that a plan needs: all except the blocklists, which only a search needs.
    /// </summary>
    public void Save(BinaryWriter writer)
    {
        Names.Save(writer);
        folders.Save(writer);
        fileHashes.Save(writer);
        details.Save(writer);
        Entries.Save(writer);
        sequenceBlocks.Save(writer);
        Blocks.Save(writer);
        Spans.Save(writer);
    }

    public void Load(BinaryReader reader)
    {
        Names.Load(reader);
        folders.Load(reader);
        fileHashes.Load(reader);
        details.Load(reader);
        Entries.Load(reader);
        sequenceBlocks.Load(reader);
        Blocks.Load(reader);
        Spans.Load(reader);
    }

    /// <summary>
    /// Says why a content with blocks longer than a limit is refused; null if no block is longer.
    /// </summary>
    public IssueReason? RefuseLongBlocks(ContentId content, long maxBlockBytes) =>
        Math.Min(SizeOf(content), Layout.BlockSizeBytes) is var length && length > maxBlockBytes
            ? new IssueReason(
                $"Its blocks are {length:N0} bytes long; the limit for the sake of memory is {maxBlockBytes:N0}",
                IssueCode.BlocksTooLong
            )
            : null;

    /// <summary>Number of blocks; 0 for no content (-1).</summary>
    public int BlockCountOf(ContentId content) =>
        content.IsNone ? 0
        : !HasDetail(content) ? 1
        : (int)Math.Min(int.MaxValue, Layout.BlockCount(SizeOf(content)));

    /// <summary>
    /// Block <paramref name="index"/> of a needed content, or -1 if it is unknown.
    /// </summary>
    public BlockId BlockOf(ContentId content, int index)
    {
        if (!HasDetail(content))
        {
            return new BlockId(content);
        }

        ref ContentDetail detail = ref DetailOf(content);
        return IsOneBlock(detail) ? new BlockId(detail.FirstBlock) : sequenceBlocks[detail.FirstBlock + index];
    }

    /// <summary>
    /// Sets block <paramref name="index"/> of a content that has a detail and a place for its
    /// blocks.
    /// </summary>
    public void SetBlock(ContentId content, int index, BlockId block)
    {
        ref ContentDetail detail = ref DetailOf(content);
        if (IsOneBlock(detail))
        {
            detail.FirstBlock = block;
        }
        else
        {
            sequenceBlocks[detail.FirstBlock + index] = block;
        }
    }

    /// <summary>
    /// Length of a path's folder; a folder's own path ends in a separator, which belongs to its
    /// name.
    /// </summary>
    public static int FolderLength(ReadOnlySpan<byte> path) =>
        path.Length == 0 ? 0 : path[..^1].LastIndexOfAny((byte)'/', (byte)'\\') + 1;

    private static bool HasDetail(ContentId content) => content < ContentId.None;

    // Detail 0 is content -2, detail 1 is -3: -1 is no content, and 0 and above are blocks.
    private ref ContentDetail DetailOf(ContentId content) => ref details[~content - 1];

    private bool IsOneBlock(ContentId content) => !HasDetail(content) || IsOneBlock(DetailOf(content));

    private bool IsOneBlock(in ContentDetail detail) => detail.SizeBytes <= Layout.BlockSizeBytes;

    /// <summary>
    /// The number of a folder. Lists are sorted by path, so most entries lie in the folder of the
    /// entry before, and a folder that repeats is stored once.
    /// </summary>
    private int FolderOf(ReadOnlySpan<byte> path) =>
        folders.Count > 0 && Names.Get(folders[folders.Count - 1]).SequenceEqual(path)
            ? folders.Count - 1
            : folders.Add(Names.Add(path));

    /// <param name="FirstBlocklist">Where its blocklists start in <see cref="Blocklists"/>; -1 if
    /// it has none.</param>
    /// <param name="FirstBlock">Of a content of one block: the block. Of more: where its blocks
    /// start in the sequence, once it is needed. -1 if not known.</param>
    private record struct ContentDetail(long SizeBytes, int FileHash, int FirstBlocklist, int FirstBlock);
}
