using Restore.Format;
using Restore.Maintenance.Searching;

namespace Restore.Maintenance.Repair;

/// <summary>Counts what the entries of all versions refer to, without the entries themselves.</summary>
internal sealed class ReferencedBlocks(BlockLayout layout, long blocksAllowed) : IReferences, IFileListSink
{
    private readonly HashSet<int> ofWholeBlocks = [];
    private long blocksLeft = blocksAllowed;

    public BlockLayout Layout { get; } = layout;

    public KnownBlocks Blocks { get; } = new(layout.BlockHash);

    public PendingBlocklists Pending { get; } = new();

    /// <summary>The blocks that are blocklists.</summary>
    public HashSet<int> Blocklists { get; } = [];

    /// <summary>The blocks of each blocklist that was read, by its number and the length of its last block; null if they are not kept.</summary>
    public Dictionary<(int Blocklist, int LastBytes), int[]>? Lists { get; init; }

    /// <summary>Entries that cannot be used, and contents with more blocks than can be.</summary>
    public List<RestoreIssue> Problems { get; } = [];

    /// <summary>Entries of which a list does not say soundly which blocks they need.</summary>
    public long UnknownNeeds { get; private set; }

    /// <summary>Whether contents have more blocks than a backup of this size; the blocks of those are not known.</summary>
    public bool IsTooLong { get; private set; }

    public void Entry(in FileListEntry entry)
    {
        if (entry.Kind.IsFile())
        {
            Add(entry.Hash, entry.SizeBytes, entry.BlockHash, entry.BlocklistHashes);
        }

        UnknownNeeds += entry.MetaProblem is null ? 0 : 1;
        if (entry.MetaProblem is null && !entry.MetaHash.IsEmpty)
        {
            Add(entry.MetaHash, entry.MetaSizeBytes, entry.MetaBlockHash, entry.MetaBlocklistHashes);
        }
    }

    public void Unusable(string path, string reason)
    {
        UnknownNeeds++;

        // One report has room for these; the drill lists them all.
        if (Problems.Count < 1000)
        {
            Problems.Add(new RestoreIssue(IssueKind.Refused, path, reason));
        }
    }

    public void Accept(int blocklist, ReadOnlySpan<byte> hashes)
    {
        int length = Layout.BlockHash.LengthBytes();
        foreach (PendingBlocklist one in Pending.Take(blocklist))
        {
            long first = (long)one.Index * Layout.HashesPerBlocklist;
            int count = hashes.Length / length;
            int[]? kept = Lists is null || count == 0 ? null : new int[count];
            for (int i = 0; i < count; i++)
            {
                int block = Blocks.Refer(hashes.Slice(i * length, length), Layout.BlockLength(one.SizeBytes, first + i));
                if (kept is not null)
                {
                    kept[i] = block;
                }
            }

            if (kept is not null)
            {
                Lists!.TryAdd((blocklist, Layout.BlockLength(one.SizeBytes, first + count - 1)), kept);
            }
        }
    }

    private void Add(ReadOnlySpan<byte> hash, long sizeBytes, ReadOnlySpan<byte> blockHash, ReadOnlySpan<byte> blocklists)
    {
        if (sizeBytes > 0 && sizeBytes <= Layout.BlockSizeBytes)
        {
            Blocks.Refer(blockHash.IsEmpty ? hash : blockHash, (int)sizeBytes);
        }

        int length = Layout.BlockHash.LengthBytes();
        for (int i = 0; sizeBytes > Layout.BlockSizeBytes && i * length < blocklists.Length; i++)
        {
            AddBlocklist(blocklists.Slice(i * length, length), sizeBytes, i);
        }
    }

    /// <summary>A blocklist that is not the last of its content lists whole blocks, in whichever content it is: it needs to be taken once.</summary>
    private void AddBlocklist(ReadOnlySpan<byte> hash, long sizeBytes, int index)
    {
        int block = Blocks.Refer(hash, Layout.BlocklistLength(sizeBytes, index));
        Blocklists.Add(block);
        if (index < Layout.BlocklistCount(sizeBytes) - 1 && !ofWholeBlocks.Add(block))
        {
            return;
        }

        blocksLeft -= Blocks.SizeOf(block) / Layout.BlockHash.LengthBytes();
        if (blocksLeft >= 0)
        {
            Pending.Add(block, new PendingBlocklist(0, index, sizeBytes));
        }
        else
        {
            IsTooLong = true;
        }
    }
}
