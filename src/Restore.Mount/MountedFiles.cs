using System.Collections.Concurrent;

namespace Restore.Mount;

/// <summary>
/// A backup as a file system: <c>versions/TIME/original path</c>, the link <c>latest</c> to the
/// newest version, <c>last-good</c> with each file as it was last good, and
/// <c>by-path/original path/TIME</c> with the states of each file. The number of a node consists of
/// the number of its tree and the number of its entry in the tree, so no table of nodes is kept for
/// the kernel.
/// </summary>
internal sealed class MountedFiles(MountedBackup backup, MountSettings settings) : IMountedFiles
{
    private const ulong Root = 1;
    private const ulong VersionsNode = 2;
    private const ulong LatestNode = 3;
    private const int TreeBits = 32;
    private const int FixedPositions = 2;

    private static readonly byte[] VersionsName = "versions"u8.ToArray();
    private static readonly byte[] LatestName = "latest"u8.ToArray();
    private static readonly byte[] HistoryName = "by-path"u8.ToArray();
    private static readonly byte[] LastGoodName = "last-good"u8.ToArray();
    private static readonly byte[] Self = "."u8.ToArray();
    private static readonly byte[] Above = ".."u8.ToArray();

    private readonly ConcurrentDictionary<ulong, OpenFile> files = new();
    private ulong lastHandle;

    /// <summary>The folder of a version.</summary>
    public static ulong FolderOf(MountedVersion version) => NodeOf(version.Number, BackupTree.Root);

    public bool IsLasting(ulong folder) => TreeOf(folder) != 0;

    public async ValueTask<NodeFacts?> LookUpAsync(
        ulong folder,
        ReadOnlyMemory<byte> name,
        CancellationToken cancellationToken
    )
    {
        if (TreeOf(folder) is var number and > 0)
        {
            return await InTreeAsync(
                number,
                async opened =>
                {
                    return opened.Tree.Find(EntryOf(folder), name.Span) is { } found
                        ? await opened.Facts.OfAsync(found, NodeOf(number, found), cancellationToken)
                        : (NodeFacts?)null;
                },
                cancellationToken
            );
        }

        await backup.LookAsync(cancellationToken);
        if (folder == VersionsNode)
        {
            var text = Encoding.UTF8.GetString(name.Span);
            return backup.Versions.FirstOrDefault(version => version.Name == text) is { } version
                ? FactsOf(version)
                : null;
        }

        return folder != Root ? throw new FuseException(FuseException.NotFolder)
            : name.Span.SequenceEqual(VersionsName) ? FixedFolder(VersionsNode)
            : name.Span.SequenceEqual(LatestName) ? Latest()
            : name.Span.SequenceEqual(LastGoodName) ? FixedFolder(NodeOf(backup.LastGood, BackupTree.Root))
            : name.Span.SequenceEqual(HistoryName) ? FixedFolder(NodeOf(backup.History, BackupTree.Root))
            : null;
    }

    public async ValueTask<NodeFacts> FactsAsync(ulong node, CancellationToken cancellationToken)
    {
        var number = TreeOf(node);
        return node is Root or VersionsNode ? FixedFolder(node)
            : node == LatestNode ? Latest()
            // The root of a tree has entry 0. Its facts are known without the tree, so showing the
            // list of versions opens none of them.
            : (uint)node != 0
                ? await InTreeAsync(
                    number,
                    opened => opened.Facts.OfAsync(EntryOf(node), node, cancellationToken),
                    cancellationToken
                )
            : backup.Find(number) is { } version ? FactsOf(version)
            : FixedFolder(node);
    }

    public async ValueTask<byte[]> LinkTargetAsync(ulong node, CancellationToken cancellationToken)
    {
        if (node == LatestNode)
        {
            await backup.LookAsync(cancellationToken);
            return Encoding.UTF8.GetBytes(LatestTarget());
        }

        return await InTreeAsync(
            TreeOf(node),
            async opened =>
            {
                var metadata = await MetadataAsync(opened, node, cancellationToken);
                return Encoding.UTF8.GetBytes(
                    metadata.PortableLinkTarget
                        ?? throw new IOException($"{metadata.Entry.Path}: the target of the link is lost")
                );
            },
            cancellationToken
        );
    }

    public async ValueTask ListAsync(
        ulong folder,
        long position,
        FolderWriter writer,
        CancellationToken cancellationToken
    )
    {
        if (
            (position == 0 && !writer.TryAdd(folder, NodeFacts.Folder, Self, 1))
            || (position <= 1 && !writer.TryAdd(folder, NodeFacts.Folder, Above, FixedPositions))
        )
        {
            return;
        }

        position = Math.Max(0, position - FixedPositions);
        if (TreeOf(folder) is var number and > 0)
        {
            await InTreeAsync(
                number,
                opened =>
                {
                    List(opened.Tree, number, EntryOf(folder), position, writer);
                    return ValueTask.FromResult(0);
                },
                cancellationToken
            );
            return;
        }

        await backup.LookAsync(cancellationToken);
        List<(ulong Node, uint Type, byte[] Name, long Position)> entries =
            folder == VersionsNode
                ?
                [
                    .. backup.Versions.Select(version =>
                        (
                            NodeOf(version.Number, BackupTree.Root),
                            NodeFacts.Folder,
                            Encoding.UTF8.GetBytes(version.Name),
                            (long)version.Number
                        )
                    ),
                ]
                :
                [
                    (VersionsNode, NodeFacts.Folder, VersionsName, 1),
                    (LatestNode, NodeFacts.Link, LatestName, 2),
                    (NodeOf(backup.History, BackupTree.Root), NodeFacts.Folder, HistoryName, 3),
                    (NodeOf(backup.LastGood, BackupTree.Root), NodeFacts.Folder, LastGoodName, 4),
                ];
        _ = entries
            .Where(entry => entry.Position > position)
            .All(entry => writer.TryAdd(entry.Node, entry.Type, entry.Name, entry.Position + FixedPositions));
    }

    public async ValueTask<ulong> OpenAsync(ulong node, CancellationToken cancellationToken)
    {
        if (TreeOf(node) == 0)
        {
            throw new FuseException(FuseException.Invalid);
        }

        // The first read opens the content, because a program may open many files and read none.
        var handle = Interlocked.Increment(ref lastHandle);
        files[handle] = new OpenFile(
            backup,
            TreeOf(node),
            EntryOf(node),
            await backup.EnterAsync(TreeOf(node), cancellationToken)
        );
        return handle;
    }

    public ValueTask<int> ReadAsync(
        ulong handle,
        long offset,
        Memory<byte> destination,
        CancellationToken cancellationToken
    ) =>
        files.TryGetValue(handle, out var file)
            ? file.ReadAsync(offset, destination, cancellationToken)
            : throw new FuseException(FuseException.Invalid);

    public ValueTask CloseAsync(ulong handle) =>
        files.TryRemove(handle, out var file) ? file.DisposeAsync() : ValueTask.CompletedTask;

    public async ValueTask<byte[]> AttributeNamesAsync(ulong node, CancellationToken cancellationToken) =>
        [
            .. (await AttributesAsync(node, cancellationToken)).SelectMany(attribute =>
                Encoding.UTF8.GetBytes($"{attribute.Key}\0")
            ),
        ];

    public async ValueTask<byte[]?> AttributeAsync(
        ulong node,
        ReadOnlyMemory<byte> name,
        CancellationToken cancellationToken
    )
    {
        var text = Encoding.UTF8.GetString(name.Span);
        return (await AttributesAsync(node, cancellationToken))
            .FirstOrDefault(attribute => attribute.Key == text)
            .Value;
    }

    private static uint TreeOf(ulong node) => (uint)(node >> TreeBits);

    private static TreeId EntryOf(ulong node) => new((int)node);

    private static ulong NodeOf(uint tree, TreeId entry) => ((ulong)tree << TreeBits) | (uint)entry.Number;

    /// <summary>
    /// The position of an entry is its number, behind the fixed ones: listing goes on after it.
    /// </summary>
    private static void List(BackupTree tree, uint treeNumber, TreeId folder, long position, FolderWriter writer)
    {
        TreeId? after = position is > 0 and < int.MaxValue ? new TreeId((int)position) : null;
        foreach (var child in tree.ChildrenOf(folder, after))
        {
            if (
                !writer.TryAdd(
                    NodeOf(treeNumber, child),
                    NodeFacts.TypeOf(tree[child].Kind),
                    tree.NameOf(child),
                    child.Number + FixedPositions
                )
            )
            {
                return;
            }
        }
    }

    /// <summary>
    /// As in a restore: a copy of a file must not get rights (capabilities, labels) that a backup
    /// made up.
    /// </summary>
    private static bool IsShown(KeyValuePair<string, byte[]> attribute) =>
        !attribute.Key.StartsWith("security.", StringComparison.Ordinal)
        && !attribute.Key.StartsWith("trusted.", StringComparison.Ordinal);

    private async ValueTask<IReadOnlyList<KeyValuePair<string, byte[]>>> AttributesAsync(
        ulong node,
        CancellationToken cancellationToken
    ) =>
        (uint)node == 0 || TreeOf(node) == 0
            ? []
            : await InTreeAsync<IReadOnlyList<KeyValuePair<string, byte[]>>>(
                TreeOf(node),
                async opened =>
                    await opened.Facts.HasAttributesAsync(EntryOf(node), cancellationToken)
                        ?
                        [
                            .. (await MetadataAsync(opened, node, cancellationToken))
                                .ExtendedAttributes.Where(IsShown)
                                .DistinctBy(attribute => attribute.Key),
                        ]
                        : [],
                cancellationToken
            );

    private static async Task<ExportedEntry> MetadataAsync(
        OpenTree opened,
        ulong node,
        CancellationToken cancellationToken
    ) =>
        await opened.Tree.ReadMetadataAsync([EntryOf(node)], cancellationToken).SingleAsync(cancellationToken)
        ?? throw new IOException($"{opened.Tree.PathOf(EntryOf(node))}: the metadata is lost");

    private async ValueTask<T> InTreeAsync<T>(
        uint number,
        Func<OpenTree, ValueTask<T>> use,
        CancellationToken cancellationToken
    )
    {
        var opened = await backup.EnterAsync(number, cancellationToken);
        try
        {
            return await use(opened);
        }
        finally
        {
            await opened.LeaveAsync();
        }
    }

    private NodeFacts FactsOf(MountedVersion version) =>
        FixedFolder(FolderOf(version)) with
        {
            Ticks = version.Version.Time.UtcTicks,
        };

    private NodeFacts FixedFolder(ulong node) =>
        new(
            node,
            NodeFacts.Folder | NodeFacts.DefaultFolderMode,
            0,
            backup.Newest.Version.Time.UtcTicks,
            settings.UserId,
            settings.GroupId,
            IsLasting: false
        );

    private NodeFacts Latest() =>
        FixedFolder(LatestNode) with
        {
            Mode = NodeFacts.Link | NodeFacts.LinkMode,
            SizeBytes = LatestTarget().Length,
        };

    private string LatestTarget() => $"versions/{backup.Newest.Name}";
}
