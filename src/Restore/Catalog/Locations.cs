namespace Restore.Catalog;

/// <summary>
/// The locations of blocks: for each block the volumes that have it, in the order to try them.
/// Immutable plain data: flat arrays, 4 bytes for a block and 8 for each rare further copy.
/// </summary>
internal sealed class Locations
{
    private readonly VolumeId[] first;
    private readonly Replica[] others;
    private readonly Replica[] failed;
    private readonly AbsentReplica[] absent;
    private readonly string[] unread;

    /// <param name="unread">The volumes that may have the blocks without a location.</param>
    public Locations(
        VolumeId[] first,
        Replica[] others,
        Replica[] failed,
        AbsentReplica[] absent,
        string[]? unread = null
    )
    {
        this.unread = unread ?? [];
        this.first = first;
        this.others = others;
        this.failed = failed;
        this.absent = absent;
    }

    public int Count => first.Length;

    /// <summary>By block: the volume to take it from, or <see cref="VolumeId.None"/>.</summary>
    public ReadOnlySpan<VolumeId> First => first;

    public ReadOnlySpan<Replica> Others => others;

    public ReadOnlySpan<Replica> Failed => failed;

    public ReadOnlySpan<AbsentReplica> Absent => absent;

    /// <summary>
    /// The names of volumes that could not be read although they are not known to be damaged, index
    /// volumes first: blocks without a location may be in them.
    /// </summary>
    public IReadOnlyList<string> Unread => unread;

    public VolumeId VolumeOf(BlockId block) => first[block];

    /// <summary>All volumes that have a block, in the order to try them.</summary>
    public VolumeId[] ReplicasOf(BlockId block) =>
        first[block].IsNone ? [] : [first[block], .. CopiesOf(others, block)];

    public VolumeId[] FailedOf(BlockId block) => CopiesOf(failed, block);

    /// <summary>The name of the absent volume that a block was in, or null if unknown.</summary>
    public string? LostWith(BlockId block)
    {
        int at = LowerBound(absent, block, entry => entry.Block);
        return at < absent.Length && absent[at].Block == block ? absent[at].VolumeName : null;
    }

    /// <param name="mayReturn">Whether a later search may add a copy again; if not, it is never
    /// tried again.</param>
    public Locations Without(IReadOnlyCollection<Replica> losses, bool mayReturn = false)
    {
        HashSet<Replica> gone = [.. losses];
        HashSet<BlockId> affected = [.. losses.Select(loss => loss.Block)];
        VolumeId[] remaining = [.. first];
        List<Replica> further = [.. others.Where(other => !affected.Contains(other.Block))];
        foreach (BlockId block in affected)
        {
            Replica[] left =
            [
                .. ReplicasOf(block)
                    .Select(volume => new Replica(block, volume))
                    .Where(replica => !gone.Contains(replica)),
            ];
            remaining[block] = left.Length == 0 ? VolumeId.None : left[0].Volume;
            further.AddRange(left.Skip(1));
        }

        return new Locations(
            remaining,
            ByBlock(further),
            mayReturn ? failed : ByBlock(failed.Union(gone)),
            absent,
            unread
        );
    }

    /// <summary>
    /// The locations with copies that were found later; these come after the copies known before.
    /// </summary>
    /// <param name="found">The copies; several copies of a block in the order to try them.</param>
    /// <param name="nowhere">Blocks without a location, with the absent volume that they were
    /// in.</param>
    public Locations With(IReadOnlyCollection<Replica> found, IReadOnlyCollection<AbsentReplica> nowhere)
    {
        HashSet<Replica> known = [];
        VolumeId[] located = [.. first];
        List<Replica> further = [.. others];
        foreach (
            Replica replica in found.Where(replica =>
                !ReplicasOf(replica.Block).Contains(replica.Volume) && known.Add(replica)
            )
        )
        {
            if (located[replica.Block].IsNone)
            {
                located[replica.Block] = replica.Volume;
            }
            else
            {
                further.Add(replica);
            }
        }

        AbsentReplica[] gone =
        [
            .. nowhere.Concat(absent).DistinctBy(entry => entry.Block).OrderBy(entry => entry.Block.Value),
        ];
        return new Locations(located, ByBlock(further), failed, gone, unread);
    }

    public Locations Renumbered(VolumeId[] volumes)
    {
        return new Locations(
            [.. first.Select(Of)],
            [.. others.Select(InOther)],
            [.. failed.Select(InOther)],
            absent,
            unread
        );

        VolumeId Of(VolumeId volume) => volume.IsNone ? volume : volumes[volume];

        Replica InOther(Replica replica) => new(replica.Block, Of(replica.Volume));
    }

    public void Save(BinaryWriter writer)
    {
        writer.Write(first.Length);
        writer.Write(others.Length);
        writer.Write(failed.Length);
        writer.Write(absent.Length);
        writer.Write(unread.Length);
        writer.Write(MemoryMarshal.AsBytes(first.AsSpan()));
        writer.Write(MemoryMarshal.AsBytes(others.AsSpan()));
        writer.Write(MemoryMarshal.AsBytes(failed.AsSpan()));
        foreach (AbsentReplica replica in absent)
        {
            writer.Write(replica.Block.Value);
            writer.Write(replica.VolumeName);
        }

        Array.ForEach(unread, writer.Write);
    }

    /// <exception cref="InvalidDataException">The locations belong to another number of blocks, or
    /// say that they are longer.</exception>
    public static Locations Load(BinaryReader reader, int blockCount, long mostBytes)
    {
        int[] counts =
        [
            reader.ReadInt32(),
            reader.ReadInt32(),
            reader.ReadInt32(),
            reader.ReadInt32(),
            reader.ReadInt32(),
        ];

        // A block without a location is a number and a text, which has its length before it.
        long leastBytes = (4L * counts[0]) + (8L * counts[1]) + (8L * counts[2]) + (5L * counts[3]) + counts[4];
        if (counts[0] != blockCount || Array.Exists(counts, count => count < 0) || leastBytes > mostBytes)
        {
            throw new InvalidDataException("The locations are not those of these blocks");
        }

        VolumeId[] first = new VolumeId[counts[0]];
        Replica[] others = new Replica[counts[1]];
        Replica[] failed = new Replica[counts[2]];
        AbsentReplica[] absent = new AbsentReplica[counts[3]];
        reader.BaseStream.ReadExactly(MemoryMarshal.AsBytes(first.AsSpan()));
        reader.BaseStream.ReadExactly(MemoryMarshal.AsBytes(others.AsSpan()));
        reader.BaseStream.ReadExactly(MemoryMarshal.AsBytes(failed.AsSpan()));
        for (int i = 0; i < absent.Length; i++)
        {
            absent[i] = new AbsentReplica(new BlockId(reader.ReadInt32()), reader.ReadString());
        }

        string[] unread = new string[counts[4]];
        for (int i = 0; i < unread.Length; i++)
        {
            unread[i] = reader.ReadString();
        }

        return new Locations(first, others, failed, absent, unread);
    }

    private static Replica[] ByBlock(IEnumerable<Replica> replicas) =>
        [.. replicas.OrderBy(replica => replica.Block.Value)];

    private static VolumeId[] CopiesOf(Replica[] replicas, BlockId block)
    {
        List<VolumeId> copies = [];
        for (
            int at = LowerBound(replicas, block, replica => replica.Block);
            at < replicas.Length && replicas[at].Block == block;
            at++
        )
        {
            copies.Add(replicas[at].Volume);
        }

        return [.. copies];
    }

    /// <summary>Where the entries of a block start in a list that is sorted by block.</summary>
    private static int LowerBound<T>(T[] sorted, BlockId block, Func<T, BlockId> blockOf)
    {
        (int from, int to) = (0, sorted.Length);
        while (from < to)
        {
            int middle = from + ((to - from) / 2);
            (from, to) = blockOf(sorted[middle]) < block ? (middle + 1, to) : (from, middle);
        }

        return from;
    }
}

/// <summary>A copy of a block: the volume that has it.</summary>
internal readonly record struct Replica(BlockId Block, VolumeId Volume);
