namespace Restore.Memory;

/// <summary>
/// Hashes and sizes of blocks in the order of arrival, without an object for each.
/// </summary>
internal sealed class BlockList(int hashLength)
{
    private readonly HashList hashes = new(hashLength);
    private readonly SegmentedList<int> sizes = new();

    public int Count => sizes.Count;

    /// <returns>Its number.</returns>
    public int Add(ReadOnlySpan<byte> hash, int sizeBytes)
    {
        hashes.Add(hash);
        return sizes.Add(sizeBytes);
    }

    public ReadOnlySpan<byte> HashOf(int block) => hashes[block];

    public int SizeOf(int block) => sizes[block];

    public void Save(BinaryWriter writer)
    {
        hashes.Save(writer);
        sizes.Save(writer);
    }

    public void Load(BinaryReader reader)
    {
        hashes.Load(reader);
        sizes.Load(reader);
        if (hashes.Count != sizes.Count)
        {
            throw new InvalidDataException("The hashes and sizes of blocks do not belong together");
        }
    }
}
