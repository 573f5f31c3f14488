using System.Runtime.CompilerServices;
using System.Text;
using Restore.Catalog;
using Restore.Format;
using Restore.Planning.Paths;
using Restore.Streams;

namespace Restore;

/// <summary>
/// The entries of one version, or of several, as a tree of folders, for a reader that goes through it in any order: a mount, a file browser. The nodes have
/// numbers; 0 is the root, and below it is the full original path. The same versions always give the same numbers. The names are those that a file system
/// accepts; entries that no file system can have are in <see cref="Issues"/> instead. Safe for concurrent use, but not while it is disposed.
/// </summary>
public sealed class BackupTree : IAsyncDisposable
{
    // A reader of many files has two windows of each in memory.
    private const long WindowBytes = 8 << 20;

    // Longer ones are large objects, which are collected late: those of a hostile backup are collected after so many bytes.
    private const int LargeMetadataBytes = 80 << 10;
    private const long CollectedBytes = 32 << 20;

    // What is lost is asked for again by every program that reads through a tree; a store that was away comes back.
    private static readonly TimeSpan TriesLossesAgainAfter = TimeSpan.FromSeconds(30);

    private const int EntryBytes = 250;
    private const int BlockBytes = 80;

    private readonly Func<CancellationToken, Task<VersionContent>> read;
    private readonly Func<EntryAccess> access;
    private readonly BlockMemory memory;
    private readonly IssueLog issues;
    private readonly SemaphoreSlim gate = new(1, 1);
    private readonly EntryTree tree;
    private VersionContent? unlocated;
    private VersionContent content;
    private BlockSource? source;

    private BackupTree(
        Func<CancellationToken, Task<VersionContent>> read,
        VersionContent content,
        EntryTree tree,
        IssueLog issues,
        Func<EntryAccess> access,
        BlockMemory memory)
    {
        this.read = read;
        this.access = access;
        this.memory = memory;
        this.issues = issues;
        this.tree = tree;
        this.content = content;
        unlocated = content;
    }

    /// <summary>Number of nodes.</summary>
    public int Count => tree.Count;

    /// <summary>What is wrong in the list, entries that are left out of the tree, and volumes that cannot be used.</summary>
    public IReadOnlyList<RestoreIssue> Issues => issues.ToList();

    /// <summary>About how much memory the tree takes, in bytes, without the blocks in the <see cref="BlockMemory"/>.</summary>
    public long MemoryBytes => ((long)tree.Count * EntryBytes) + ((long)content.Blocks.Count * BlockBytes) + (4L * content.SequenceBlocks.Count);

    /// <summary>A node by its number.</summary>
    public TreeNode this[int number]
    {
        get
        {
            EntryId entry = tree.EntryOf(number);
            long ticks = entry.IsNone ? 0 : content.Entries[entry].TimeTicks;
            return new TreeNode(
                tree.ParentOf(number),
                BackupEntry.KindOf(tree.KindOf(number)),
                entry.IsNone ? 0 : content.SizeOf(entry),
                ticks == 0 ? null : new DateTimeOffset(ticks, TimeSpan.Zero));
        }
    }

    /// <summary>The name of a node in UTF-8: 1 to 255 bytes without '/' and NUL, not '.' or '..'. That of the root is empty.</summary>
    public ReadOnlySpan<byte> NameOf(int number) => tree.NameOf(number);

    /// <summary>The numbers of the nodes in a folder: folders and links, then files.</summary>
    public ReadOnlySpan<int> ChildrenOf(int number) => tree.ChildrenOf(number);

    /// <summary>The number of the node with a name (UTF-8) in a folder; -1 if there is none.</summary>
    public int Find(int folder, ReadOnlySpan<byte> name) => tree.Find(folder, name);

    /// <summary>The original path of a node; that of a folder ends with a separator. Empty for folders that only occur in the paths of others.</summary>
    public string PathOf(int number) => tree.EntryOf(number) is { IsNone: false } entry ? content.PathText(entry) : "";

    /// <summary>The number of the node with an original path, which needs no separator at its end; -1 if the tree does not have it.</summary>
    public int FindPath(string path)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        return tree.FindPath(Encoding.UTF8.GetBytes(path));
    }

    /// <summary>
    /// Reads the metadata of nodes, in order, in windows of some MiB. The first call, or the first <see cref="OpenFileAsync"/>, reads index volumes.
    /// </summary>
    /// <param name="numbers">The nodes; those that are read together cost less.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>
    /// For each node its metadata; null if it is lost. A node that the backup has no metadata of has an entry without values. The metadata of an entry may be
    /// 1 MiB long, so who reads many keeps of each only what is needed.
    /// </returns>
    /// <exception cref="RestoreException">The store is lost.</exception>
    public async IAsyncEnumerable<ExportedEntry?> ReadMetadataAsync(
        IReadOnlyList<int> numbers, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(numbers);
        BlockSource blocks = await LocateAsync(cancellationToken).ConfigureAwait(false);
        long large = 0;
        for (int next = 0; next < numbers.Count;)
        {
            int end = next;
            List<BlockId> window = [];
            for (long bytes = 0; end < numbers.Count && (end == next || bytes < blocks.WindowBytes); end++)
            {
                ContentBlocks metadata = new(content, MetadataOf(numbers[end]));
                window.AddRange(metadata.Range(0, metadata.Count));
                bytes += metadata.SizeBytes;
            }

            await blocks.FetchAsync(window, cancellationToken).ConfigureAwait(false);
            for (; next < end; next++)
            {
                ContentId metadata = MetadataOf(numbers[next]);
                byte[]? blob = metadata.IsNone ? [] : await blocks.ReadWholeAsync(metadata, cancellationToken).ConfigureAwait(false);
                yield return blob is null ? null : Exported(numbers[next], blob);
                large += blob?.Length > LargeMetadataBytes ? blob.Length : 0;
                if (large > CollectedBytes)
                {
                    large = 0;
                    GC.Collect();
                }
            }
        }
    }

    /// <summary>Opens a file, like <see cref="Backup.OpenEntryAsync"/>. The blocks are kept in the memory that the trees share.</summary>
    /// <param name="number">A node that is a file.</param>
    /// <param name="cancellationToken">Cancels the opening.</param>
    /// <returns>The stream; dispose it before the tree.</returns>
    /// <exception cref="RestoreException">The node is not a file, the file is too long, or the store is lost.</exception>
    public async Task<Stream> OpenFileAsync(int number, CancellationToken cancellationToken = default)
    {
        if (!tree.KindOf(number).IsFile())
        {
            throw new RestoreException(RestoreErrorCode.EntryIsNotFile, "The entry is a folder or a link, which has no content", PathOf(number));
        }

        BlockSource blocks = await LocateAsync(cancellationToken).ConfigureAwait(false);
        EntryId entry = tree.EntryOf(number);
        return blocks.Refused.TryGetValue(entry, out IssueReason refused)
            ? throw new RestoreException(RestoreErrorCode.EntryNotFound, $"The entry cannot be used: {refused.Sentence}", PathOf(number))
            : new ContentStream(blocks, new ContentBlocks(content, content.Entries[entry].Content), PathOf(number), ownsSource: false);
    }

    /// <summary>Ends background fetches and releases the memory.</summary>
    public async ValueTask DisposeAsync()
    {
        if (source is not null)
        {
            await source.DisposeAsync().ConfigureAwait(false);
        }

        gate.Dispose();
    }

    internal static async Task<BackupTree> OpenAsync(
        Func<CancellationToken, Task<VersionContent>> read,
        Func<VersionContent, EntryId, string>? nameOf,
        Func<EntryAccess> access,
        BlockMemory memory,
        CancellationToken cancellationToken)
    {
        VersionContent content = await read(cancellationToken).ConfigureAwait(false);
        IssueLog issues = new();
        issues.AddRange(content.Issues);
        EntryTree tree = EntryTree.Of(content, nameOf is null ? null : entry => nameOf(content, entry), issues);
        return new BackupTree(read, content, tree, issues, access, memory);
    }

    private ContentId MetadataOf(int number) => tree.EntryOf(number) is { IsNone: false } entry ? content.Entries[entry].Metadata : ContentId.None;

    private ExportedEntry Exported(int number, byte[] blob)
    {
        EntryId entry = tree.EntryOf(number);
        BackupEntry listed = entry.IsNone ? new BackupEntry("", BackupEntryKind.Folder, 0, null) : BackupEntry.Of(content, entry);
        return ExportedEntry.Of(listed, blob.Length == 0 ? EntryMetadata.Empty : EntryMetadata.Parse(blob));
    }

    private async Task<BlockSource> LocateAsync(CancellationToken cancellationToken)
    {
        if (Volatile.Read(ref source) is BlockSource located)
        {
            return located;
        }

        await gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            if (source is null)
            {
                // A search that failed leaves a content behind that no other search can use. The list gives the same numbers again.
                VersionContent fresh = unlocated ?? await read(cancellationToken).ConfigureAwait(false);
                unlocated = null;
                BlockSource found = await access().LocateAsync(
                    fresh, withMetadata: true, issues, memory.Cache, cancellationToken, memory.Turns, WindowBytes, TriesLossesAgainAfter).ConfigureAwait(false);
                content = fresh;
                Volatile.Write(ref source, found);
            }

            return source;
        }
        finally
        {
            gate.Release();
        }
    }
}
