using Restore.Format.Selection;

namespace Restore.Planning.Paths;

/// <summary>
/// Decides where the entries of a version go: it sees each entry once, and then creates the map
/// from original to target paths. Refused entries do not influence the map. Not safe for concurrent
/// use; the map is.
/// </summary>
internal sealed class PathMapper(RestoreOptions options, TargetRules rules)
{
    private readonly CommonPrefix unixPrefix = new(PathStyle.Unix);
    private readonly CommonPrefix windowsPrefix = new(PathStyle.Windows);
    private readonly EntryFilter? inNamedFolder = options.Filter.Folder is { } folder
        ? EntryFilter.InFolder(folder, options.Filter.CaseSensitive)
        : null;

    private readonly SourceFolders sources = new();

    private char[] scratch = [];
    private long unixPaths;
    private long windowsPaths;
    private bool hasEntriesOutsideNamedFolder;

    /// <summary>
    /// Adds an entry of the version. Entries that are not selected only show whether the backup has
    /// more than the named folder.
    /// </summary>
    public void Observe(ReadOnlySpan<byte> path, EntryKind kind, bool isSelected)
    {
        if (OriginalPath.Check(path, kind) is not null)
        {
            return;
        }

        if (options.Target is null)
        {
            sources.Observe(path, kind, isSelected);
        }

        path = WindowsPath.Usual(path);
        hasEntriesOutsideNamedFolder |= inNamedFolder is not null && !IsInNamedFolder(path);
        if (!isSelected)
        {
            return;
        }

        bool isUnix = OriginalPath.StyleOf(path) == PathStyle.Unix;
        (isUnix ? ref unixPaths : ref windowsPaths)++;

        // A link to a folder has a separator at its end too, but belongs to its parent folder.
        bool isLinkToFolder =
            kind == EntryKind.Symlink && OriginalPath.EndsInSeparator(path, OriginalPath.StyleOf(path));
        (isUnix ? unixPrefix : windowsPrefix).Add(isLinkToFolder ? path[..^1] : path);
    }

    /// <summary>Creates the map.</summary>
    /// <exception cref="RestoreException">The entries cannot go to their original places, because
    /// these belong to another system.</exception>
    /// <param name="resolve">Says which of the selected sources are elsewhere on this machine; null
    /// if that does not matter.</param>
    public PathMap Complete(Func<IEnumerable<string>, IReadOnlyList<Redirect>>? resolve = null)
    {
        // A backup belongs to one system; single paths of the other system are damage or malice.
        PathStyle style = windowsPaths > unixPaths ? PathStyle.Windows : PathStyle.Unix;
        if (options.Target is null)
        {
            RefuseOtherSystem(style);
            return new PathMap(
                style,
                rules,
                0,
                toOriginalPlaces: true,
                style == PathStyle.Unix ? resolve?.Invoke(sources.Selected()) : null
            );
        }

        ReadOnlySpan<byte> prefix = (style == PathStyle.Unix ? unixPrefix : windowsPrefix).Folder;
        if (options.DontCompressRestorePaths)
        {
            prefix = [];
        }
        // A folder that the user named keeps its name at the target, unless it is the whole backup.
        else if (hasEntriesOutsideNamedFolder)
        {
            prefix = KeepNamedFolder(prefix, style);
        }

        return new PathMap(style, rules, prefix.Length, toOriginalPlaces: false);
    }

    private void RefuseOtherSystem(PathStyle style)
    {
        bool isOther = rules.IsWindows != (style == PathStyle.Windows);
        if (isOther && unixPaths + windowsPaths > 0)
        {
            string from = style == PathStyle.Windows ? "Windows" : "Linux, macOS or another Unix";
            throw new RestoreException(
                RestoreErrorCode.TargetRequired,
                $"The backup was made on {from}, so its files have no original place on this system"
            );
        }
    }

    /// <summary>
    /// Cuts the prefix above the folder of the path argument, if all selected entries are in that
    /// folder.
    /// </summary>
    private ReadOnlySpan<byte> KeepNamedFolder(ReadOnlySpan<byte> prefix, PathStyle style)
    {
        if (!IsInNamedFolder(prefix))
        {
            return prefix;
        }

        // Counts separators: with case ignored, the folder in the backup can have another length in
        // UTF-8 than the argument.
        ReadOnlySpan<byte> separators = OriginalPath.SeparatorsOf(style);
        string named = PathArgument.Tidy(options.Filter.Folder!, style == PathStyle.Windows);
        int parentSeparators = named.AsSpan().Count(style == PathStyle.Windows ? '\\' : '/') - 1;
        int length = 0;
        for (int i = 0; i < parentSeparators; i++)
        {
            length += prefix[length..].IndexOfAny(separators) + 1;
        }

        return prefix[..length];
    }

    private bool IsInNamedFolder(ReadOnlySpan<byte> path) => inNamedFolder!.Matches(path, ref scratch);
}
