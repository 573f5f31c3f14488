namespace Restore.Shards;

/// <summary>
/// Which part of a split plan brings each block of a file that several parts write.
/// </summary>
/// <param name="PartOfItem">By block of the content: the part.</param>
internal sealed record EntryShares(int[] PartOfItem, int MetadataPart)
{
    public IEnumerable<int> Parts => PartOfItem.Append(MetadataPart).Distinct();
}
