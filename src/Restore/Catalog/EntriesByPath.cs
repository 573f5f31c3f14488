namespace Restore.Catalog;

/// <summary>
/// The entries of a version in the order of their paths, one after another. Entries that are listed
/// twice count once.
/// </summary>
internal sealed class EntriesByPath
{
    private readonly EntryId[] order;
    private byte[] path = [];
    private byte[] last = [];
    private int length;
    private int at = -1;

    public EntriesByPath(VersionContent content)
    {
        Content = content;
        order = [.. EntryId.UpTo(content.Entries.Count).AsEnumerable()];

        // Duplicati sorts folders and links separately from files, so most lists are in order in
        // two runs, not in one. A list of files alone needs no sort.
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
        int lastLength = length;

        // The two buffers change places, so that the path of the entry before stays for the
        // comparison without a copy.
        (path, last) = (last, path);
        do
        {
            at++;
            length = HasMore ? Content.PathOf(Current, ref path).Length : 0;
        } while (HasMore && at > 0 && Path.SequenceEqual(last.AsSpan(0, lastLength)));
    }

    private bool IsSorted()
    {
        (byte[] before, byte[] buffer) = ([], []);
        int beforeLength = 0;
        foreach (EntryId entry in order)
        {
            ReadOnlySpan<byte> here = Content.PathOf(entry, ref buffer);
            if (before.AsSpan(0, beforeLength).SequenceCompareTo(here) > 0)
            {
                return false;
            }

            beforeLength = here.Length;
            (before, buffer) = (buffer, before);
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
