using Restore.Format.Selection;

namespace Restore.Planning.Paths;

/// <summary>
/// The target path of each entry of a version. Target paths are relative to the root of the target,
/// UTF-8, with '/' between names; no name is empty, '.' or '..'; the root itself is the empty path.
/// Immutable and safe for concurrent use. With original places the root is <c>/</c>; on Windows it
/// is <c>\\?\</c>, so paths begin with <c>C:/</c> or <c>UNC/server/share/</c>.
/// </summary>
internal sealed class PathMap(
    PathStyle style,
    TargetRules rules,
    int prefixLength,
    bool toOriginalPlaces,
    IReadOnlyList<Redirect>? redirects = null
)
{
    private const int MaxNameLength = 255;

    private readonly RedirectedFolders? elsewhere = redirects is { Count: > 0 }
        ? new RedirectedFolders(redirects)
        : null;

    public PathMapSettings Settings { get; } =
        new(style, rules, prefixLength, toOriginalPlaces) { Redirects = redirects };

    public static PathMap Of(PathMapSettings settings) =>
        new(settings.Style, settings.Rules, settings.PrefixLength, settings.ToOriginalPlaces, settings.Redirects);

    /// <summary>Returns the target path of an entry.</summary>
    /// <param name="buffer">Receives the target path; enlarged if necessary, and reused from call
    /// to call.</param>
    /// <returns>Why the entry has no target path; null if it has one.</returns>
    public string? Map(ReadOnlySpan<byte> path, EntryKind kind, ref byte[] buffer, out int length)
    {
        length = 0;
        string? refusal = OriginalPath.Check(path, kind);
        if (refusal is not null)
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

        // The prefix comes from entries that were selected. A folder above the selection can be
        // shorter.
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
        refusal = WriteNames(path[Math.Max(prefixLength, OriginalPath.RootLength(path))..], ref writer, out length);
        if (refusal is null)
        {
            elsewhere?.Apply(kind, ref buffer, ref length);
        }

        return refusal;
    }

    /// <summary>Returns the target path of an entry as a string, or null and the reason.</summary>
    public string? Map(string path, EntryKind kind, out string? refusal) =>
        Map(Encoding.UTF8.GetBytes(path), kind, out refusal);

    /// <inheritdoc cref="Map(string, EntryKind, out string?)"/>
    public string? Map(ReadOnlySpan<byte> path, EntryKind kind, out string? refusal)
    {
        byte[] buffer = [];
        refusal = Map(path, kind, ref buffer, out int length);
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
internal sealed record PathMapSettings(PathStyle Style, TargetRules Rules, int PrefixLength, bool ToOriginalPlaces)
{
    /// <summary>Folders of original places that are elsewhere; null for none.</summary>
    public IReadOnlyList<Redirect>? Redirects { get; init; }
}
