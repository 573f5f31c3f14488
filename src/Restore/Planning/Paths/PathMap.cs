using Restore.Format.Selection;

namespace Restore.Planning.Paths;

/// <summary>
/// The target path of each entry of a version. Target paths are relative to the root of the target, UTF-8, with '/' between names; no name is empty, '.' or
/// '..'; the root itself is the empty path. Immutable and safe for concurrent use.
/// With original places the root is <c>/</c>; on Windows it is <c>\\?\</c>, so paths begin with <c>C:/</c> or <c>UNC/server/share/</c>.
/// </summary>
internal sealed class PathMap(PathStyle style, TargetRules rules, int prefixLength, bool toOriginalPlaces)
{
    private const int MaxNameLength = 255;

    public PathMapSettings Settings { get; } = new(style, rules, prefixLength, toOriginalPlaces);

    public static PathMap Of(PathMapSettings settings) => new(settings.Style, settings.Rules, settings.PrefixLength, settings.ToOriginalPlaces);

    /// <summary>Returns the target path of an entry.</summary>
    /// <param name="buffer">Receives the target path; enlarged if necessary, and reused from call to call.</param>
    /// <returns>Why the entry has no target path; null if it has one.</returns>
    public string? Map(ReadOnlySpan<byte> path, EntryKind kind, ref byte[] buffer, out int length)
    {
        length = 0;
        if (OriginalPath.Check(path, kind) is string refusal)
        {
            return refusal;
        }

        if (OriginalPath.StyleOf(path) != style)
        {
            (string here, string others) = style == PathStyle.Unix ? ("Windows", "Unix") : ("Unix", "Windows");
            return $"The path is one of {here}, but the backup was made on {others}";
        }

        if (toOriginalPlaces && WindowsPath.IsDevice(path))
        {
            return "The path is on a device of Windows without a drive letter, so it has no original place";
        }

        path = WindowsPath.Usual(path);

        if (path.Length < prefixLength)
        {
            return "The path is above the folder that is restored";
        }

        // A name can grow to three times its length; the root adds at most "UNC/".
        int most = 4 + (3 * path.Length);
        if (buffer.Length < most)
        {
            buffer = new byte[most];
        }

        var writer = new NameWriter(buffer, rules);
        WriteRoot(path, ref writer);
        return WriteNames(path[Math.Max(prefixLength, OriginalPath.RootLength(path))..], ref writer, out length);
    }

    /// <summary>Returns the target path of an entry as a string, or null and the reason.</summary>
    public string? Map(string path, EntryKind kind, out string? refusal)
    {
        byte[] buffer = [];
        refusal = Map(Encoding.UTF8.GetBytes(path), kind, ref buffer, out int length);
        return refusal is null ? Encoding.UTF8.GetString(buffer, 0, length) : null;
    }

    private void WriteRoot(ReadOnlySpan<byte> path, ref NameWriter writer)
    {
        int rootLength = OriginalPath.RootLength(path);
        bool isDrive = rootLength == 3;
        if (toOriginalPlaces && style == PathStyle.Windows)
        {
            writer.WriteRoot(isDrive ? path[..2] : "UNC"u8);
        }
        else if (isDrive && prefixLength == 0)
        {
            writer.WriteRoot([OriginalPath.DriveFolderOf(path)]);
        }
        else if (prefixLength <= rootLength && OriginalPath.SharesFolderOf(path) is { IsEmpty: false } shares)
        {
            writer.WriteRoot(shares);
        }
    }

    private string? WriteNames(ReadOnlySpan<byte> names, ref NameWriter writer, out int length)
    {
        length = 0;
        if (OriginalPath.EndsInSeparator(names, style))
        {
            names = names[..^1];
        }

        if (!names.IsEmpty)
        {
            foreach (Range range in names.SplitAny(OriginalPath.SeparatorsOf(style)))
            {
                int nameLength = writer.WriteName(names[range]);
                if (nameLength > MaxNameLength)
                {
                    string unit = rules.IsWindows ? "characters" : "bytes";
                    return $"A name in the path is {nameLength} {unit} long; the limit of the target is {MaxNameLength}";
                }
            }
        }

        length = writer.Length;
        return null;
    }
}

/// <param name="PrefixLength">Bytes to cut off the start of each path.</param>
internal sealed record PathMapSettings(PathStyle Style, TargetRules Rules, int PrefixLength, bool ToOriginalPlaces);

/// <summary>
/// Decides where the entries of a version go: it sees each entry once, and then creates the map from original to target paths.
/// Refused entries do not influence the map. Not safe for concurrent use; the map is.
/// </summary>
internal sealed class PathMapper(RestoreOptions options, TargetRules rules)
{
    private readonly CommonPrefix unixPrefix = new(PathStyle.Unix);
    private readonly CommonPrefix windowsPrefix = new(PathStyle.Windows);
    private readonly EntryFilter? inNamedFolder =
        options.Filter.Folder is { } folder ? EntryFilter.InFolder(folder, options.Filter.CaseSensitive) : null;

    private char[] scratch = [];
    private long unixPaths;
    private long windowsPaths;
    private bool hasEntriesOutsideNamedFolder;

    /// <summary>Adds an entry of the version. Entries that are not selected only show whether the backup has more than the named folder.</summary>
    public void Observe(ReadOnlySpan<byte> path, EntryKind kind, bool isSelected)
    {
        if (OriginalPath.Check(path, kind) is not null)
        {
            return;
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
        bool isLinkToFolder = kind == EntryKind.Symlink && OriginalPath.EndsInSeparator(path, OriginalPath.StyleOf(path));
        (isUnix ? unixPrefix : windowsPrefix).Add(isLinkToFolder ? path[..^1] : path);
    }

    /// <summary>Creates the map.</summary>
    /// <exception cref="RestoreException">The entries cannot go to their original places, because these belong to another system.</exception>
    public PathMap Complete()
    {
        // A backup belongs to one system; single paths of the other system are damage or malice.
        PathStyle style = windowsPaths > unixPaths ? PathStyle.Windows : PathStyle.Unix;
        if (options.Target is null)
        {
            RefuseOtherSystem(style);
            return new PathMap(style, rules, 0, toOriginalPlaces: true);
        }

        ReadOnlySpan<byte> prefix = (style == PathStyle.Unix ? unixPrefix : windowsPrefix).Folder;
        if (options.DontCompressRestorePaths)
        {
            prefix = [];
        }
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
                RestoreErrorCode.TargetRequired, $"The backup was made on {from}, so its files have no original place on this system");
        }
    }

    /// <summary>Cuts the prefix above the folder of the path argument, if all selected entries are in that folder.</summary>
    private ReadOnlySpan<byte> KeepNamedFolder(ReadOnlySpan<byte> prefix, PathStyle style)
    {
        if (!IsInNamedFolder(prefix))
        {
            return prefix;
        }

        // Counts separators: with case ignored, the folder in the backup can have another length in UTF-8 than the argument.
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

/// <summary>Finds the longest folder that contains all added paths; time and memory are linear in their length.</summary>
internal sealed class CommonPrefix(PathStyle style)
{
    private byte[]? folder;
    private int length;

    /// <summary>The folder with its separator, or empty if there is none (or no path was added).</summary>
    public ReadOnlySpan<byte> Folder => folder.AsSpan(0, length);

    /// <summary>Adds a path. A path that ends in a separator is a folder and contains itself.</summary>
    public void Add(ReadOnlySpan<byte> path)
    {
        if (folder is null)
        {
            folder = path.ToArray();
            length = CutAtSeparator(path);
            return;
        }

        int common = Folder.CommonPrefixLength(path);
        if (common < length)
        {
            length = CutAtSeparator(Folder[..common]);
        }
    }

    private int CutAtSeparator(ReadOnlySpan<byte> path) => path.LastIndexOfAny(OriginalPath.SeparatorsOf(style)) + 1;
}
