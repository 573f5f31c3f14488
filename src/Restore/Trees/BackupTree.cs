using Restore.Planning.Paths;
using Restore.Streams;

namespace Restore.Trees;

/// <summary>A file, folder or link of a <see cref="BackupTree"/>.</summary>
/// <param name="Kind">What it is.</param>
/// <param name="SizeBytes">Length of a file's content; 0 for the others.</param>
/// <param name="LastModified">The time of a file, in UTC and whole seconds; null if the list has no
/// time.</param>
public readonly record struct TreeNode(BackupEntryKind Kind, long SizeBytes, DateTimeOffset? LastModified);

/// <summary>
/// The entries of one or several versions as a tree of folders, for readers that access it in any
/// order, such as a mount or a file browser. The full original paths are below the root. The same
/// versions always give the same nodes. All names are valid for a file system; entries with names
/// that no file system can have are in <see cref="Issues"/> instead. A tree over shared paths has
/// all entries, and their names as they are. Safe for concurrent use, but not while it is disposed.
/// </summary>
public sealed class BackupTree : IAsyncDisposable
{
    // A reader of many files has two windows of each in memory.
    private const long WindowBytes = 8 << 20;

    // Every program that reads through a tree asks for lost data again, so losses are remembered
    // for a while. They are tried again later, because a store can come back.
    private static readonly TimeSpan TriesLossesAgainAfter = TimeSpan.FromSeconds(30);

    // The metadata of more nodes than these is not kept in memory.
    private const int MostKept = 1000;

    private const int EntryBytes = 240;
    private const int BlockBytes = 80;

    private readonly Func<CancellationToken, Task<VersionContent>> read;
    private readonly Func<EntryAccess> access;
    private readonly BlockMemory memory;
    private readonly IssueLog issues;
    private readonly SemaphoreSlim gate = new(1, 1);
    private readonly EntryTree tree;

    // Files that were read to the end and do not have their hash: a part of one, read later, must
    // not look sound at the end.
    private readonly ConcurrentDictionary<EntryId, bool> contradicted = new();
    private VersionContent? unlocated;
    private VersionContent content;
    private BlockSource? source;
    private NeighborReads? neighbors;
    private int users = 1;

    private BackupTree(
        Func<CancellationToken, Task<VersionContent>> read,
        VersionContent content,
        EntryTree tree,
        IssueLog issues,
        Func<EntryAccess> access,
        BlockMemory memory
    )
    {
        this.read = read;
        this.access = access;
        this.memory = memory;
        this.issues = issues;
        this.tree = tree;
        this.content = content;
        unlocated = content;
    }

    /// <summary>The root.</summary>
    public static TreeId Root => PathTree.Roots[0];

    /// <summary>Number of nodes. The number of each node is lower.</summary>
    public int Count => tree.Count;

    /// <summary>
    /// What is wrong in the list, entries that are left out of the tree, and volumes that cannot be
    /// used.
    /// </summary>
    public IReadOnlyList<RestoreIssue> Issues => issues.ToList();

    /// <summary>
    /// About how much memory the tree takes, in bytes, without the blocks in the
    /// <see cref="BlockMemory"/>.
    /// </summary>
    public long MemoryBytes =>
        ((long)tree.Count * EntryBytes) + ((long)content.Blocks.Count * BlockBytes) + (4L * content.SequenceBlockCount);

    /// <summary>What a node is; a folder if no list has it.</summary>
    public TreeNode this[TreeId node]
    {
        get
        {
            EntryId entry = tree.EntryOf(node);
            long ticks = entry.IsNone ? 0 : content.Entries[entry].TimeTicks;
            return new TreeNode(
                tree.KindOf(node).ToPublic(),
                entry.IsNone ? 0 : content.SizeOf(entry),
                ticks == 0 ? null : new DateTimeOffset(ticks, TimeSpan.Zero)
            );
        }
    }

    /// <summary>
    /// The name of a node in UTF-8: 1 to 255 bytes without '/' and NUL, not '.' or '..'. The name
    /// of the root is empty.
    /// </summary>
    public ReadOnlySpan<byte> NameOf(TreeId node) => tree.Paths.NameOf(node);

    /// <summary>
    /// The nodes in a folder, in the order of the list: folders and links, then files.
    /// </summary>
    /// <param name="folder">The folder.</param>
    /// <param name="after">Begins after this node of the folder; null for all.</param>
    public IEnumerable<TreeId> ChildrenOf(TreeId folder, TreeId? after = null) => tree.Paths.ChildrenOf(folder, after);

    /// <summary>
    /// The node with a name (UTF-8) in a folder; null if the folder does not have it.
    /// </summary>
    public TreeId? Find(TreeId folder, ReadOnlySpan<byte> name) => tree.Paths.Find(folder, name);

    /// <summary>
    /// The original path of a node. The path of a folder ends with a separator. Empty for folders
    /// that only occur in the paths of other entries.
    /// </summary>
    public string PathOf(TreeId node) => tree.EntryOf(node) is { IsNone: false } entry ? content.PathText(entry) : "";

    /// <summary>
    /// Reads the metadata of nodes, in order, in windows of some MiB. The first call, or the first
    /// <see cref="OpenFileAsync"/>, reads index volumes.
    /// </summary>
    /// <param name="nodes">The nodes; those that are read together cost less.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>For each node its metadata; null if it is lost. A node without metadata in the
    /// backup has an entry without values. The metadata of an entry can be 1 MiB long, so a caller
    /// that reads many should keep only what it needs.</returns>
    /// <exception cref="RestoreException">The store is lost.</exception>
    public async IAsyncEnumerable<ExportedEntry?> ReadMetadataAsync(
        IReadOnlyList<TreeId> nodes,
        [EnumeratorCancellation] CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(nodes);
        BlockSource blocks = await LocateAsync(cancellationToken).ConfigureAwait(false);
        for (int next = 0; next < nodes.Count; )
        {
            int end = next;
            List<BlockId> window = [];
            for (long bytes = 0; end < nodes.Count && (end == next || bytes < blocks.WindowBytes); end++)
            {
                ContentBlocks metadata = new(content, MetadataOf(nodes[end]));
                window.AddRange(metadata.Range(0, metadata.Count));
                bytes += metadata.SizeBytes;
            }

            await blocks.FetchAsync(window, cancellationToken).ConfigureAwait(false);
            for (; next < end; next++)
            {
                ContentId metadata = MetadataOf(nodes[next]);
                byte[]? blob = metadata.IsNone
                    ? []
                    : await blocks.ReadWholeAsync(metadata, cancellationToken).ConfigureAwait(false);
                yield return blob is null ? null : Exported(nodes[next], blob);
            }

            // A caller that reads thousands of nodes goes through all of them and keeps what it
            // needs.
            if (nodes.Count > MostKept)
            {
                blocks.Drop(window);
            }
        }
    }

    /// <summary>
    /// Opens a file, like <see cref="Backup.OpenEntryAsync"/>. The blocks are kept in the memory
    /// that the trees share.
    /// </summary>
    /// <param name="node">A node that is a file.</param>
    /// <param name="cancellationToken">Cancels the opening.</param>
    /// <returns>The stream; dispose it before the tree.</returns>
    /// <exception cref="RestoreException">The node is not a file, the file is too long, or the
    /// store is lost.</exception>
    public async Task<Stream> OpenFileAsync(TreeId node, CancellationToken cancellationToken = default)
    {
        if (!tree.KindOf(node).IsFile())
        {
            throw new RestoreException(
                RestoreErrorCode.EntryIsNotFile,
                "The entry is a folder or a link, which has no content",
                PathOf(node)
            );
        }

        BlockSource blocks = await LocateAsync(cancellationToken).ConfigureAwait(false);
        EntryId entry = tree.EntryOf(node);
        if (blocks.Refused.TryGetValue(entry, out IssueReason refused))
        {
            throw new RestoreException(
                RestoreErrorCode.EntryNotFound,
                $"The entry cannot be used: {refused.Sentence}",
                PathOf(node)
            );
        }

        ContentBlocks file = new(content, content.Entries[entry].Content);
        return new ContentStream(blocks, file, PathOf(node), ownsSource: false)
        {
            IsContradicted = contradicted.ContainsKey(entry),
            Contradicted = () => contradicted.TryAdd(entry, true),
            Beginning =
                file.SizeBytes <= NeighborReads.SmallBytes ? token => neighbors!.BringAsync(entry, token) : null,
        };
    }

    /// <summary>
    /// The volume that a block of a node's content or metadata should be in, and that cannot be
    /// read; null if nothing was found to be lost.
    /// </summary>
    public string? LostVolumeOf(TreeId node)
    {
        if (
            Volatile.Read(ref source) is not BlockSource blocks
            || tree.EntryOf(node) is not { IsNone: false } entry
            || blocks.Refused.ContainsKey(entry)
        )
        {
            return null;
        }

        EntryRow row = content.Entries[entry];
        return new[] { row.Content, row.Metadata }
            .Select(one => new ContentBlocks(content, one))
            .SelectMany(one => one.Range(0, one.Count))
            .Where(block => !block.IsNone && blocks.Losses.Has(block))
            .Select(blocks.LostWith)
            .FirstOrDefault(volume => volume is not null);
    }

    /// <summary>Whether the tree has more than one user.</summary>
    public bool IsShared => Volatile.Read(ref users) > 1;

    /// <summary>Adds a user: the tree is open until each of them has disposed it.</summary>
    /// <returns>False if all have disposed it already.</returns>
    public bool TryShare()
    {
        int known = Volatile.Read(ref users);
        while (known > 0)
        {
            int before = Interlocked.CompareExchange(ref users, known + 1, known);
            if (before == known)
            {
                return true;
            }

            known = before;
        }

        return false;
    }

    /// <summary>
    /// Removes a user; the last one ends background fetches and releases the memory.
    /// </summary>
    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Decrement(ref users) != 0)
        {
            return;
        }

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
        PathTree? paths,
        CancellationToken cancellationToken
    )
    {
        VersionContent content = await read(cancellationToken).ConfigureAwait(false);
        IssueLog issues = new();
        issues.AddRange(content.Issues);
        EntryTree tree = paths is not null
            ? EntryTree.At(paths, content)
            : EntryTree.Of(content, nameOf is null ? null : entry => nameOf(content, entry), issues);
        return new BackupTree(read, content, tree, issues, access, memory);
    }

    private ContentId MetadataOf(TreeId node) =>
        tree.EntryOf(node) is { IsNone: false } entry ? content.Entries[entry].Metadata : ContentId.None;

    private ExportedEntry Exported(TreeId node, byte[] blob)
    {
        EntryId entry = tree.EntryOf(node);
        BackupEntry listed = entry.IsNone
            ? new BackupEntry("", BackupEntryKind.Folder, 0, null)
            : ListedEntries.Of(content, entry);
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
                // A search that failed leaves a content behind that no other search can use. The
                // list gives the same numbers again; several lists may not, if one of them has gone
                // meanwhile.
                VersionContent fresh = unlocated ?? await read(cancellationToken).ConfigureAwait(false);
                unlocated = null;
                RequireSameEntries(fresh);
                BlockSource found = await access()
                    .LocateAsync(
                        fresh,
                        withMetadata: true,
                        issues,
                        memory.Cache,
                        cancellationToken,
                        memory.Turns,
                        WindowBytes,
                        TriesLossesAgainAfter
                    )
                    .ConfigureAwait(false);
                content = fresh;
                neighbors = new NeighborReads(found);
                Volatile.Write(ref source, found);
            }

            return source;
        }
        finally
        {
            gate.Release();
        }
    }

    private void RequireSameEntries(VersionContent fresh)
    {
        if (fresh == content)
        {
            return;
        }

        byte[] was = [];
        byte[] path = [];
        bool isSame = fresh.Entries.Count == content.Entries.Count;
        for (EntryId entry = new(0); isSame && entry < fresh.Entries.Count; entry = new(entry + 1))
        {
            isSame =
                fresh.Entries[entry].Kind == content.Entries[entry].Kind
                && fresh.PathOf(entry, ref path).SequenceEqual(content.PathOf(entry, ref was));
        }

        if (!isSame)
        {
            throw new RestoreException(
                RestoreErrorCode.BackupChanged,
                "The backup has changed since it was opened: a file list that was there is missing"
            );
        }
    }
}
