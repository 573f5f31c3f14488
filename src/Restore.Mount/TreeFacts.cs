namespace Restore.Mount;

/// <summary>
/// Times, modes and owners of the entries of a tree, 32 bytes each. They are fetched when the
/// kernel asks for the first one, together with more and more of those that follow in the list
/// while they are asked for in order, as a listing and a copy do.
/// </summary>
/// <param name="tree">The entries.</param>
/// <param name="time">The time of entries without a time.</param>
/// <param name="userId">The owner of entries without an owner.</param>
/// <param name="groupId">The group of entries without a group.</param>
/// <param name="warn">Receives a sentence about lost metadata.</param>
#pragma warning disable CA1001 // A semaphore has something to dispose only if its wait handle is used.
internal sealed class TreeFacts(BackupTree tree, DateTimeOffset time, uint userId, uint groupId, Action<string> warn)
#pragma warning restore CA1001
{
    private const int FirstWindow = 64;
    private const int MostWindow = 8192;
    private const int MostReaders = 8;
    private const int SegmentBits = 12;

    private readonly SemaphoreSlim gate = new(1, 1);
    private readonly Facts[]?[] segments = new Facts[]?[(tree.Count >> SegmentBits) + 1];

    // Where the next read of someone who goes through the list is expected, and how much was
    // fetched for the last one.
    private readonly List<(int Next, int Window)> readers = [];

    [Flags]
    private enum Known : byte
    {
        Nothing = 0,
        Here = 1,
        Attributes = 2,
    }

    public async ValueTask<NodeFacts> OfAsync(TreeId entry, ulong node, CancellationToken cancellationToken)
    {
        var facts = await GetAsync(entry.Number, cancellationToken);
        var listed = tree[entry];
        var size = listed.Kind == BackupEntryKind.Symlink ? facts.LinkLength : listed.SizeBytes;
        return new NodeFacts(
            node,
            NodeFacts.TypeOf(listed.Kind) | facts.Mode,
            size,
            facts.Ticks,
            facts.UserId,
            facts.GroupId,
            facts.Known != Known.Nothing
        );
    }

    public async ValueTask<bool> HasAttributesAsync(TreeId entry, CancellationToken cancellationToken) =>
        (await GetAsync(entry.Number, cancellationToken)).Known.HasFlag(Known.Attributes);

    private async ValueTask<Facts> GetAsync(int number, CancellationToken cancellationToken)
    {
        if (TryGet(number, out var known))
        {
            return known;
        }

        await gate.WaitAsync(cancellationToken);
        try
        {
            if (!TryGet(number, out known))
            {
                TreeId[] wanted =
                [
                    .. Enumerable
                        .Range(number, Window(number))
                        .Where(other => !TryGet(other, out _))
                        .Select(other => new TreeId(other)),
                ];
                var index = 0;
                await foreach (var metadata in tree.ReadMetadataAsync(wanted, cancellationToken))
                {
                    var facts = FactsOf(wanted[index], metadata);
                    known = index == 0 ? facts : known;

                    // What is lost now may be there the next time: a store can be away for a while.
                    if (metadata is not null)
                    {
                        Set(wanted[index].Number, facts);
                    }

                    index++;
                }
            }

            return known;
        }
        finally
        {
            gate.Release();
        }
    }

    private bool TryGet(int number, out Facts facts)
    {
        var segment = Volatile.Read(ref segments[number >> SegmentBits]);
        if (segment is null || segment[number & ((1 << SegmentBits) - 1)].Known == Known.Nothing)
        {
            facts = default;
            return false;
        }

        // What is known is written last and read first, so that a reader without the gate never
        // sees a half.
        Thread.MemoryBarrier();
        facts = segment[number & ((1 << SegmentBits) - 1)];
        return true;
    }

    private void Set(int number, in Facts facts)
    {
        var segment = segments[number >> SegmentBits] ?? new Facts[1 << SegmentBits];
        segment[number & ((1 << SegmentBits) - 1)] = facts with { Known = Known.Nothing };
        Thread.MemoryBarrier();
        segment[number & ((1 << SegmentBits) - 1)].Known = facts.Known;
        Volatile.Write(ref segments[number >> SegmentBits], segment);
    }

    /// <summary>How many entries to fetch, from this one on.</summary>
    private int Window(int number)
    {
        // A reader may leave out a few entries, such as folders that it does not enter, and still
        // counts as going on in order.
        var reader = readers.FindIndex(reader => number >= reader.Next && number <= reader.Next + FirstWindow);
        var window = reader < 0 ? FirstWindow : Math.Min(2 * readers[reader].Window, MostWindow);
        if (reader >= 0)
        {
            readers.RemoveAt(reader);
        }
        else if (readers.Count == MostReaders)
        {
            readers.RemoveAt(0);
        }

        window = Math.Min(window, tree.Count - number);
        readers.Add((number + window, window));
        return window;
    }

    private Facts FactsOf(TreeId node, ExportedEntry? metadata)
    {
        var entry = tree[node];
        if (metadata is null)
        {
            warn(
                MountWarnings.OfLoss(tree, node)
                    ?? $"{tree.PathOf(node)}: times, mode, owner and attributes are lost; the mount opens it to its owner alone"
            );
        }

        var mode =
            entry.Kind == BackupEntryKind.Symlink ? NodeFacts.LinkMode
            : metadata is null
                ? (entry.Kind == BackupEntryKind.Folder ? NodeFacts.LostFolderMode : NodeFacts.LostFileMode)
            : (uint?)metadata.Mode
                ?? (entry.Kind == BackupEntryKind.Folder ? NodeFacts.DefaultFolderMode : NodeFacts.DefaultFileMode);
        return new Facts
        {
            Known = metadata is null
                ? Known.Nothing
                : Known.Here | (metadata.ExtendedAttributes.Count > 0 ? Known.Attributes : 0),
            Mode = (ushort)mode,
            LinkLength = metadata?.PortableLinkTarget is { } target
                ? System.Text.Encoding.UTF8.GetByteCount(target)
                : 0,
            Ticks = (metadata?.LastModified ?? entry.LastModified ?? time).UtcTicks,
            UserId = metadata?.UserId ?? userId,
            GroupId = metadata?.GroupId ?? groupId,
        };
    }

    private record struct Facts
    {
        public long Ticks;
        public uint UserId;
        public uint GroupId;
        public int LinkLength;
        public ushort Mode;
        public Known Known;
    }
}
