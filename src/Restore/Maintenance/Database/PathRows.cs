namespace Restore.Maintenance.Database;

/// <summary>
/// The rows of paths: one for each path with one content and one metadata, whichever versions have
/// it.
/// </summary>
internal sealed class PathRows
{
    private readonly PathSet paths = new();
    private readonly SegmentedList<LastState> lastStates = new();
    private readonly SegmentedList<State> states = new();
    private readonly Insertion insertPrefix;
    private readonly Insertion insertPath;
    private int prefixes;

    public PathRows(NewDatabase database)
    {
        insertPrefix = database.Insert("PathPrefix", "ID", "Prefix");
        insertPath = database.Insert("FileLookup", "ID", "PrefixID", "Path", "BlocksetID", "MetadataID");
    }

    public int Count => states.Count;

    /// <returns>Its number; 0 if the version has the path already.</returns>
    public int GetOrAdd(int version, ReadOnlySpan<byte> path, int content, int metadata)
    {
        int length = PrefixLength(path);
        if (paths.TryAdd(path, length, out int number))
        {
            lastStates.Add(new LastState(0, -1));
        }

        ref LastState last = ref lastStates[number];
        if (last.Version == version)
        {
            return 0;
        }

        last.Version = version;

        // The states of a path form a list from the newest to the oldest. Most versions have the
        // newest one.
        for (int at = last.Row; at >= 0; at = states[at].Before)
        {
            if (states[at].Content == content && states[at].Metadata == metadata)
            {
                return at + 1;
            }
        }

        last.Row = states.Add(new State(content, metadata, last.Row));
        int prefix = paths.FolderOf(number) + 1;
        if (prefix > prefixes)
        {
            prefixes = prefix;
            insertPrefix.Add(prefix).Add(path[..length]).Run();
        }

        insertPath.Add(last.Row + 1).Add(prefix).Add(path[length..]).Add(content).Add(metadata).Run();
        return last.Row + 1;
    }

    /// <summary>
    /// Length of what comes before the name; the separator at the end of a folder belongs to its
    /// name.
    /// </summary>
    private static int PrefixLength(ReadOnlySpan<byte> path)
    {
        byte separator = path[0] == (byte)'/' ? (byte)'/' : (byte)'\\';
        return path.TrimEnd(separator).LastIndexOf(separator) + 1;
    }

    private record struct LastState(int Version, int Row);

    private record struct State(int Content, int Metadata, int Before);
}
