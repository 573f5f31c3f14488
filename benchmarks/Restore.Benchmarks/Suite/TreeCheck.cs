namespace Restore.Benchmarks.Suite;

/// <summary>Compares a restored tree with its source, byte by byte.</summary>
internal static class TreeCheck
{
    private const int BufferBytes = 1 << 20;

    /// <summary>The first difference as a sentence, or null when there is none.</summary>
    /// <param name="set">What should be there.</param>
    /// <param name="target">Where it should be.</param>
    /// <param name="withTimes">Whether the last-modified times must be right too.</param>
    public static string? FirstDifference(PreparedSet set, string target, bool withTimes)
    {
        string root = FindRoot(target, set.Files[0]);
        byte[] wanted = new byte[BufferBytes];
        byte[] found = new byte[BufferBytes];
        foreach (string file in set.Files)
        {
            string path = Path.Combine(root, file);
            if (!File.Exists(path))
            {
                return $"{file} is missing";
            }

            if (!IsSame(Path.Combine(set.Source, file), path, wanted, found))
            {
                return $"{file} has another content";
            }

            if (withTimes && File.GetLastWriteTimeUtc(path) != File.GetLastWriteTimeUtc(Path.Combine(set.Source, file)))
            {
                return $"{file} has another time";
            }
        }

        int count = Directory.EnumerateFiles(root, "*", SearchOption.AllDirectories).Count();
        return count == set.Files.Count ? null : $"there are {count} files instead of {set.Files.Count}";
    }

    /// <summary>
    /// Other programs keep the original path below the target: the root is where the first file is,
    /// down a chain of single folders.
    /// </summary>
    private static string FindRoot(string target, string file)
    {
        string root = target;
        while (
            !File.Exists(Path.Combine(root, file))
            && Directory.Exists(root)
            && Directory.GetFileSystemEntries(root) is [var only]
            && Directory.Exists(only)
        )
        {
            root = only;
        }

        return root;
    }

    private static bool IsSame(string one, string other, byte[] wanted, byte[] found)
    {
        using FileStream a = new(one, FileMode.Open, FileAccess.Read, FileShare.Read, bufferSize: 0);
        using FileStream b = new(other, FileMode.Open, FileAccess.Read, FileShare.Read, bufferSize: 0);
        if (a.Length != b.Length)
        {
            return false;
        }

        int read;
        while ((read = a.ReadAtLeast(wanted, wanted.Length, throwOnEndOfStream: false)) > 0)
        {
            if (
                b.ReadAtLeast(found, read, throwOnEndOfStream: false) < read
                || !wanted.AsSpan(0, read).SequenceEqual(found.AsSpan(0, read))
            )
            {
                return false;
            }
        }

        return true;
    }
}
