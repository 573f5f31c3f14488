namespace Restore.Assessment;

/// <summary>
/// All paths of the versions read so far, oldest version first, each with its newest state: about
/// 110 bytes and the name for each. Lists have nearly the same order in all versions, so the row of
/// an entry is usually the one after the last entry's, and nothing is looked up.
/// </summary>
internal sealed class FileTable
{
    /// <summary>Paths that are looked at; a list made to fill the memory has more.</summary>
    private const int MaxRows = 16 << 20;

    // The longest extension that is one; longer ones are the end of a name with a dot.
    private const int MaxExtension = 24;

    private readonly PathSet paths = new();
    private readonly PathBudget budget = new();
    private readonly PathTable types = new(ignoresCase: true);
    private readonly SegmentedList<FileRow> rows = new();
    private readonly OlderContents older = new();
    private readonly HashSet<int> returned = [];
    private int expected = -1;
    private int last = -1;
    private int first = -1;
    private int nextFirst = -1;

    public int Count => rows.Count;

    /// <summary>The number of the version that is read.</summary>
    public int Version { get; private set; } = -1;

    /// <summary>
    /// Paths that were left out because there are too many, or they take too much memory.
    /// </summary>
    public long LeftOut { get; private set; }

    public List<ChangedFile> Changed { get; } = [];

    /// <summary>Rows that the version before did not have, with links.</summary>
    public List<int> Added { get; } = [];

    /// <summary>Files with the same content and another time: the row and the older time.</summary>
    public List<(int Row, long OldTimeTicks)> Touched { get; } = [];

    public long Files { get; private set; }

    public long Bytes { get; private set; }

    /// <summary>Files beside which an attack may have made a copy, with the copy.</summary>
    public Dictionary<int, int> CopiedByAttack { get; } = [];

    public int TypeCount => types.Count;

    public ref FileRow this[int row] => ref rows[row];

    public int FolderCount => paths.FolderCount;

    public int FolderOf(int row) => paths.FolderOf(row);

    public ReadOnlySpan<byte> NameOf(int row) => paths.NameOf(row);

    public ReadOnlySpan<byte> FolderPath(int folder) => paths.FolderPath(folder);

    public byte[] PathOf(int row) => paths.PathOf(row);

    public string PathText(int row) => Encoding.UTF8.GetString(paths.PathOf(row));

    public ReadOnlySpan<byte> TypeName(int type) => types.NameOf(type);

    public bool TryFind(ReadOnlySpan<byte> path, out int row) =>
        paths.TryFind(path, VersionContent.FolderLength(path), out row);

    /// <summary>Whether a row that was added has a content that it had in an older version.</summary>
    public bool IsReturned(int row) => returned.Contains(row);

    /// <summary>Whether the version that is read has a row.</summary>
    public bool IsPresent(int row) => rows[row].Seen == Version;

    /// <summary>Whether an older version had the row, too.</summary>
    public bool IsOfBoth(int row) => IsPresent(row) && rows[row].FirstSeen < Version;

    public void Begin()
    {
        Version++;
        Changed.Clear();
        Added.Clear();
        Touched.Clear();
        returned.Clear();
        (Files, Bytes) = (0, 0);
        first = nextFirst;
        (expected, last, nextFirst) = (first, -1, -1);
    }

    public void Add(in EntryInList entry)
    {
        if (entry.Kind == BackupEntryKind.Folder)
        {
            return;
        }

        int folderLength = VersionContent.FolderLength(entry.Path);
        int row = expected;
        bool isExpected = row >= 0 && paths.Is(row, entry.Path, folderLength);
        if (!isExpected && !paths.TryFind(entry.Path, folderLength, out row))
        {
            AddNew(entry, folderLength);
            return;
        }

        ref FileRow known = ref rows[row];
        if (known.Seen == Version)
        {
            // Of several entries with one path the first counts.
            return;
        }

        expected = known.Seen == Version - 1 ? known.Next : expected;
        Link(row);
        Update(ref known, row, entry);
    }

    private void Update(ref FileRow known, int row, in EntryInList entry)
    {
        ulong content = ContentOf(entry);
        long time = entry.LastModified?.UtcTicks ?? 0;
        bool isOther =
            known.Content != content
            || known.SizeBytes != entry.SizeBytes
            || known.IsLink != (entry.Kind == BackupEntryKind.Symlink);
        if (known.Seen < Version - 1)
        {
            Added.Add(row);
            known.FirstSeen = Version;
            known.Changes = 0;
            if (!isOther || older.Has(row, content))
            {
                returned.Add(row);
            }
        }
        else if (isOther)
        {
            bool isReturned = older.Has(row, content);
            Changed.Add(
                new ChangedFile(row, known.SizeBytes, known.TimeTicks, known.IsCold, isReturned, known.Content)
            );
            known.Changes++;
        }
        else if (known.TimeTicks != time)
        {
            Touched.Add((row, known.TimeTicks));
        }

        if (isOther)
        {
            older.Add(row, known.Content);
        }

        known.Content = content;
        known.SizeBytes = entry.SizeBytes;
        known.TimeTicks = time;
        known.IsLink = entry.Kind == BackupEntryKind.Symlink;
        known.Seen = Version;
        CountEntry(entry);
    }

    private void AddNew(in EntryInList entry, int folderLength)
    {
        if (rows.Count >= MaxRows || !budget.TryTake(entry.Path))
        {
            LeftOut++;
            return;
        }

        paths.TryAdd(entry.Path, folderLength, out int row);
        FileRow added = new(
            ContentOf(entry),
            entry.SizeBytes,
            entry.LastModified?.UtcTicks ?? 0,
            TypeOf(entry.Path[folderLength..]),
            IsLink(entry)
        )
        {
            Seen = Version,
            FirstSeen = Version,
            Next = -1,
        };
        rows.Add(added);
        Added.Add(row);
        Link(row);
        CountEntry(entry);
    }

    private void CountEntry(in EntryInList entry)
    {
        if (entry.Kind == BackupEntryKind.File)
        {
            Files++;
            Bytes = long.CreateSaturating((Int128)Bytes + entry.SizeBytes);
        }
    }

    private void Link(int row)
    {
        if (last < 0)
        {
            nextFirst = row;
        }
        else
        {
            rows[last].Next = row;
        }

        last = row;
    }

    /// <summary>
    /// The number of an extension without its dot; of none that of the empty one.
    /// </summary>
    private int TypeOf(ReadOnlySpan<byte> name)
    {
        types.TryAdd(0, ExtensionOf(name), out int type);
        return type;
    }

    public static ReadOnlySpan<byte> ExtensionOf(ReadOnlySpan<byte> name)
    {
        int dot = name.LastIndexOf((byte)'.');
        return dot <= 0 || name.Length - dot - 1 > MaxExtension ? [] : name[(dot + 1)..];
    }

    private static bool IsLink(in EntryInList entry) => entry.Kind == BackupEntryKind.Symlink;

    private static ulong ContentOf(in EntryInList entry) =>
        entry.Hash.Length < sizeof(ulong) ? 0 : BinaryPrimitives.ReadUInt64LittleEndian(entry.Hash);
}
