namespace Restore.Catalog;

/// <summary>The order of a file list: folders and links, then files, each by path.</summary>
internal sealed class FileListOrder(VersionContent content)
{
    /// <summary>
    /// Sorts the entries of the content; entries of one path keep their order.
    /// </summary>
    public void Sort()
    {
        int[] order = [.. Enumerable.Range(0, content.Entries.Count)];

        bool hasSpans = content.Spans.Count > 0;
        Array.Sort(order, Compare);

        // In place, along the cycles of the permutation: a copy of a million entries would need
        // another 32 MB.
        for (int start = 0; start < order.Length; start++)
        {
            EntryRow moved = content.Entries[start];
            VersionRange movedSpan = hasSpans ? content.Spans[start] : default;
            int to = start;
            while (order[to] != start)
            {
                content.Entries[to] = content.Entries[order[to]];
                if (hasSpans)
                {
                    content.Spans[to] = content.Spans[order[to]];
                }

                int next = order[to];
                order[to] = to;
                to = next;
            }

            content.Entries[to] = moved;
            order[to] = to;
            if (hasSpans)
            {
                content.Spans[to] = movedSpan;
            }
        }
    }

    private int Compare(int left, int right)
    {
        bool isFile = content.Entries[left].Kind.IsFile();
        if (isFile != content.Entries[right].Kind.IsFile())
        {
            return isFile ? 1 : -1;
        }

        int byPath = ComparePaths(content.Entries[left], content.Entries[right]);
        return byPath != 0 ? byPath : left.CompareTo(right);
    }

    private int ComparePaths(in EntryRow left, in EntryRow right)
    {
        if (left.Folder != right.Folder)
        {
            ReadOnlySpan<byte> leftFolder = content.FolderPath(left.Folder);
            ReadOnlySpan<byte> rightFolder = content.FolderPath(right.Folder);

            // Compares folder and name as one text without joining them:
            // 1. Folders that differ within both decide.
            // 2. If one folder is the beginning of the other, the name below the shorter one is
            //    compared with the rest of the longer one, and then with the name there.
            int common = leftFolder.CommonPrefixLength(rightFolder);
            if (common < leftFolder.Length && common < rightFolder.Length)
            {
                return leftFolder[common].CompareTo(rightFolder[common]);
            }

            if (leftFolder.Length != rightFolder.Length)
            {
                return leftFolder.Length < rightFolder.Length
                    ? CompareNames(content.Names.Get(left.Name), rightFolder[common..], content.Names.Get(right.Name))
                    : -CompareNames(content.Names.Get(right.Name), leftFolder[common..], content.Names.Get(left.Name));
            }
        }

        return content.Names.Get(left.Name).SequenceCompareTo(content.Names.Get(right.Name));
    }

    private static int CompareNames(ReadOnlySpan<byte> name, ReadOnlySpan<byte> folder, ReadOnlySpan<byte> nameInFolder)
    {
        int common = Math.Min(name.Length, folder.Length);
        int byFolder = name[..common].SequenceCompareTo(folder[..common]);
        return byFolder != 0 ? byFolder
            : common < folder.Length ? -1
            : name[common..].SequenceCompareTo(nameInFolder);
    }
}
