namespace Restore.Browse.Index;

/// <summary>
/// What is in the folders of one version, by node, each with all that is below. Nodes that came
/// later are not in it. A sum of bytes that is too large stays at the largest number.
/// </summary>
internal sealed record VersionView(int[] Entries, int[] Files, long[] Bytes)
{
    public bool Has(TreeId node) => node.Number < Entries.Length && Entries[node.Number] > 0;
}
