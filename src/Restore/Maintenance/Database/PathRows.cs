using System.Security.Cryptography;
using System.Text;
using Restore.Encryption;
using Restore.Format;
using Restore.Memory;

namespace Restore.Maintenance.Database;

/// <summary>The rows of paths: one for each path with one content and one metadata, whichever versions have it.</summary>
internal sealed class PathRows
{
    // Truncated SHA-256: a backup made to do harm must not hide a path behind another one.
    private const int KeyBytes = 16;

    private readonly DataHasher hasher = new(HashKind.Sha256);
    private readonly BlockSet known = new(KeyBytes);
    private readonly SegmentedList<LastState> lastStates = new();
    private readonly SegmentedList<State> states = new();
    private readonly Dictionary<string, int> prefixes = new(StringComparer.Ordinal);
    private readonly Insertion insertPrefix;
    private readonly Insertion insertPath;
    private byte[] lastPrefix = [];
    private int lastPrefixNumber;

    public PathRows(NewDatabase database)
    {
        insertPrefix = database.Insert("PathPrefix", "ID", "Prefix");
        insertPath = database.Insert("FileLookup", "ID", "PrefixID", "Path", "BlocksetID", "MetadataID");
    }

    /// <summary>Number of rows.</summary>
    public int Count => states.Count;

    /// <summary>The row of a path in a version.</summary>
    /// <returns>Its number; 0 if the version has the path already.</returns>
    public int GetOrAdd(int version, ReadOnlySpan<byte> path, int content, int metadata)
    {
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        hasher.Hash(path, hash);
        if (known.TryAdd(hash[..KeyBytes], 0, out int number))
        {
            lastStates.Add(new LastState(0, -1));
        }

        ref LastState last = ref lastStates[number];
        if (last.Version == version)
        {
            return 0;
        }

        last.Version = version;
        for (int at = last.Row; at >= 0; at = states[at].Before)
        {
            if (states[at].Content == content && states[at].Metadata == metadata)
            {
                return at + 1;
            }
        }

        last.Row = states.Add(new State(content, metadata, last.Row));
        int length = PrefixLength(path);
        insertPath.Add(last.Row + 1).Add(PrefixOf(path[..length])).Add(path[length..]).Add(content).Add(metadata).Run();
        return last.Row + 1;
    }

    /// <summary>Length of what comes before the name; the separator at the end of a folder belongs to its name.</summary>
    private static int PrefixLength(ReadOnlySpan<byte> path)
    {
        byte separator = path[0] == (byte)'/' ? (byte)'/' : (byte)'\\';
        return path.TrimEnd(separator).LastIndexOf(separator) + 1;
    }

    /// <summary>Most entries lie in the folder of the entry before.</summary>
    private int PrefixOf(ReadOnlySpan<byte> prefix)
    {
        if (lastPrefixNumber != 0 && prefix.SequenceEqual(lastPrefix))
        {
            return lastPrefixNumber;
        }

        string text = Encoding.UTF8.GetString(prefix);
        if (!prefixes.TryGetValue(text, out int number))
        {
            number = prefixes.Count + 1;
            prefixes.Add(text, number);
            insertPrefix.Add(number).Add(prefix).Run();
        }

        (lastPrefix, lastPrefixNumber) = (prefix.ToArray(), number);
        return number;
    }

    private record struct LastState(int Version, int Row);

    private record struct State(int Content, int Metadata, int Before);
}
