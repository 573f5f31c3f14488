namespace Restore.Planning.Paths;

/// <summary>
/// Folders of target paths that are elsewhere, by the longest that a path is in. Immutable and safe
/// for concurrent use.
/// </summary>
internal sealed class RedirectedFolders
{
    private readonly byte[][] from;
    private readonly byte[][] to;
    private readonly int longest;

    public RedirectedFolders(IEnumerable<Redirect> redirects)
    {
        (from, to) = (
            [.. redirects.Select(redirect => Encoding.UTF8.GetBytes(redirect.From))],
            [.. redirects.Select(redirect => Encoding.UTF8.GetBytes(redirect.To))]
        );
        Array.Sort(from, to, Comparer<byte[]>.Create((one, other) => one.AsSpan().SequenceCompareTo(other)));
        longest = from.Max(path => path.Length);
    }

    /// <summary>
    /// Changes a path, if it is in such a folder, or is the path of the folder itself. A link or a
    /// file of this path is an entry of its own, and stays where it is.
    /// </summary>
    /// <param name="buffer">Begins with the path; enlarged if necessary.</param>
    public void Apply(EntryKind kind, ref byte[] buffer, ref int length)
    {
        ReadOnlySpan<byte> path = buffer.AsSpan(0, length);
        int end = kind == EntryKind.Folder ? length : path.LastIndexOf((byte)'/');
        while (end > 0)
        {
            if (end <= longest && Find(path[..end]) is >= 0 and var index)
            {
                // The root has no name, and no separator before the rest.
                ReadOnlySpan<byte> rest = to[index].Length > 0 ? path[end..] : path[end..].TrimStart((byte)'/');
                byte[] changed = [.. to[index], .. rest];
                if (buffer.Length < changed.Length)
                {
                    buffer = new byte[changed.Length];
                }

                changed.CopyTo(buffer, 0);
                length = changed.Length;
                return;
            }

            end = path[..end].LastIndexOf((byte)'/');
        }
    }

    private int Find(ReadOnlySpan<byte> folder)
    {
        (int first, int last) = (0, from.Length - 1);
        while (first <= last)
        {
            int middle = (first + last) / 2;
            switch (folder.SequenceCompareTo(from[middle]))
            {
                case 0:
                    return middle;
                case < 0:
                    last = middle - 1;
                    break;
                default:
                    first = middle + 1;
                    break;
            }
        }

        return -1;
    }
}
