namespace Restore.Cli.Commands;

/// <summary>Finds the folders that a filter names, by what is in them.</summary>
internal sealed class NamedFolders(EntryFilter filter)
{
    private string last = "";

    /// <summary>
    /// The shortest beginning of a path, up to a separator, that the filter takes: what was named,
    /// of all that is in it. Null if that is the path itself.
    /// </summary>
    public string? Of(string path)
    {
        // Lists are sorted by path, so most entries lie in the folder of the entry before.
        if (last.Length > 0 && path.Length > last.Length && path.StartsWith(last, StringComparison.Ordinal))
        {
            return last;
        }

        for (var end = EntryPath.EndOfPart(path, 0); end < path.Length; end = EntryPath.EndOfPart(path, end))
        {
            if (filter.Matches(path.AsSpan(0, end)))
            {
                return last = path[..end];
            }
        }

        return null;
    }
}
