using System.Text;

namespace Restore.Catalog;

/// <summary>The entries of a version in the order of their paths, one after another. Entries that are listed twice count once.</summary>
internal sealed class EntriesByPath
{
    private readonly EntryId[] order;
    private byte[] path = [];
    private int length;
    private int at = -1;

    public EntriesByPath(VersionContent content)
    {
        Content = content;
        order = [.. EntryId.UpTo(content.Entries.Count).AsEnumerable()];
        if (!IsSorted())
        {
            Array.Sort(order, new ByPath(content));
        }

        MoveNext();
    }

    public VersionContent Content { get; }

    public bool HasMore => at < order.Length;

    public EntryId Current => order[at];

    /// <summary>The path of the current entry; valid until the next one.</summary>
    public ReadOnlySpan<byte> Path => path.AsSpan(0, length);

    public string PathText => Encoding.UTF8.GetString(Path);

    public void MoveNext()
    {
        byte[] last = at < 0 ? [] : Path.ToArray();
        do
        {
            at++;
            length = HasMore ? Content.PathOf(Current, ref path).Length : 0;
        }
        while (HasMore && at > 0 && Path.SequenceEqual(last));
    }

    private bool IsSorted()
    {
        ByPath comparer = new(Content);
        for (int i = 1; i < order.Length; i++)
        {
            if (comparer.Compare(order[i - 1], order[i]) > 0)
            {
                return false;
            }
        }

        return true;
    }

    private sealed class ByPath(VersionContent content) : IComparer<EntryId>
    {
        private byte[] left = [];
        private byte[] right = [];

        public int Compare(EntryId x, EntryId y)
        {
            int byPath = content.PathOf(x, ref left).SequenceCompareTo(content.PathOf(y, ref right));
            return byPath != 0 ? byPath : x.Value.CompareTo(y.Value);
        }
    }
}
