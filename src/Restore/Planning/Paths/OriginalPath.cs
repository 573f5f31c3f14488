using System.Text.Unicode;
using Restore.Format.Selection;

namespace Restore.Planning.Paths;

/// <summary>
/// The rules for paths in backups: which are valid, where names start and end, and which are never
/// restored.
/// </summary>
internal static class OriginalPath
{
    // Windows allows no longer path. The limit also bounds the memory for one entry of a hostile
    // list.
    private const int MaxLengthBytes = 32_767;
    private const int MaxPlainNameBytes = 255;

    private static readonly SearchValues<byte> NotPlain = SearchValues.Create("\0/\\"u8);

    private static ReadOnlySpan<byte> SharesFolder => "UNC"u8;

    public static PathStyle StyleOf(ReadOnlySpan<byte> path) =>
        path switch
        {
            [(byte)'/', ..] => PathStyle.Unix,
            [var drive, (byte)':', (byte)'\\', ..] when char.IsAsciiLetter((char)drive) => PathStyle.Windows,
            [(byte)'\\', (byte)'\\', not (byte)'\\', ..] => PathStyle.Windows,
            _ => PathStyle.None,
        };

    /// <summary>
    /// The folder of a server with a name that could be the drive of the same backup, <c>UNC</c>;
    /// else there is no such folder.
    /// </summary>
    public static ReadOnlySpan<byte> SharesFolderOf(ReadOnlySpan<byte> path)
    {
        ReadOnlySpan<byte> server = path is [(byte)'\\', (byte)'\\', .. var rest] ? rest : [];
        server = server.IndexOfAny((byte)'\\', (byte)'/') is int end and >= 0 ? server[..end] : server;
        bool isLikeDrive = server is [var letter] && char.IsAsciiLetter((char)letter);
        return isLikeDrive || Ascii.EqualsIgnoreCase(server, SharesFolder) ? SharesFolder : [];
    }

    /// <summary>
    /// The folder of a drive: its letter, which is the same drive in either case.
    /// </summary>
    public static byte DriveFolderOf(ReadOnlySpan<byte> path) => (byte)char.ToUpperInvariant((char)path[0]);

    /// <summary>On Windows '/' is a separator too, so no name can contain it.</summary>
    public static ReadOnlySpan<byte> SeparatorsOf(PathStyle style) => style == PathStyle.Windows ? "\\/"u8 : "/"u8;

    /// <summary>
    /// Length of the part before the first name of a path in its usual form: 1 for <c>/</c>, 3 for
    /// <c>C:\</c>, 2 for <c>\\server</c>.
    /// </summary>
    public static int RootLength(ReadOnlySpan<byte> path) =>
        path[0] == (byte)'/' ? 1
        : path[1] == (byte)':' ? 3
        : 2;

    /// <summary>
    /// The last name of a path, without the separator of a folder; empty for a root.
    /// </summary>
    public static ReadOnlySpan<byte> NameOf(ReadOnlySpan<byte> path)
    {
        ReadOnlySpan<byte> separators = SeparatorsOf(StyleOf(path));
        path = WindowsPath.Usual(path);
        path = path[RootLength(path)..].TrimEnd(separators);
        return path[(path.LastIndexOfAny(separators) + 1)..];
    }

    /// <summary>
    /// The name of an entry in a folder that <see cref="Check"/> accepts, if it is so plain that it
    /// accepts the entry too.
    /// </summary>
    public static bool TryGetPlainName(
        ReadOnlySpan<byte> path,
        int folderLength,
        EntryKind kind,
        out ReadOnlySpan<byte> name
    )
    {
        bool isFolder = kind == EntryKind.Folder && path.Length > folderLength && EndsInSeparator(path, StyleOf(path));
        name = path[folderLength..^(isFolder ? 1 : 0)];
        return path.Length <= MaxLengthBytes
            && name.Length is > 0 and <= MaxPlainNameBytes

            // This leaves "." and ".." to the full check; other names with a dot in front only lose
            // the short way.
            && name[0] != '.'
            && name.IndexOfAny(NotPlain) < 0
            && Utf8.IsValid(name);
    }

    public static bool EndsInSeparator(ReadOnlySpan<byte> path, PathStyle style) =>
        !path.IsEmpty && SeparatorsOf(style).Contains(path[^1]);

    /// <summary>
    /// Says why an entry must not be restored to any target; null if there is no reason.
    /// </summary>
    public static string? Check(ReadOnlySpan<byte> path, EntryKind kind)
    {
        path = WindowsPath.Usual(path);
        PathStyle style = StyleOf(path);
        if (style == PathStyle.None)
        {
            return "The path is not absolute";
        }

        if (path.Length > MaxLengthBytes)
        {
            return $"The path is {path.Length} bytes long; no system allows more than {MaxLengthBytes}";
        }

        if (path.Contains((byte)0))
        {
            return "The path has a NUL character, which no file system accepts";
        }

        if (!Utf8.IsValid(path))
        {
            return "The path is not valid UTF-8";
        }

        return CheckEnd(path, kind, style) ?? CheckSegments(path, style);
    }

    private static string? CheckEnd(ReadOnlySpan<byte> path, EntryKind kind, PathStyle style)
    {
        bool endsInSeparator = EndsInSeparator(path, style);
        if (kind.IsFile() && endsInSeparator)
        {
            return "The entry is a file, but its path ends with a separator";
        }

        return kind == EntryKind.Symlink && path.Length == RootLength(path)
            ? "The entry is a link, but its path is the root"
            : null;
    }

    private static string? CheckSegments(ReadOnlySpan<byte> path, PathStyle style)
    {
        ReadOnlySpan<byte> names = path[RootLength(path)..];
        if (names.IsEmpty)
        {
            return null;
        }

        names = EndsInSeparator(names, style) ? names[..^1] : names;
        if (
            style == PathStyle.Windows
            && path[0] == '\\'
            && names is [(byte)'?'] or [(byte)'?', (byte)'\\' or (byte)'/', ..]
        )
        {
            return "The path names neither a drive nor a share";
        }

        foreach (Range range in names.SplitAny(SeparatorsOf(style)))
        {
            switch (names[range])
            {
                case []:
                    return "The path has an empty segment";
                case [(byte)'.'] or [(byte)'.', (byte)'.']:
                    return "The path has a '.' or '..' segment, which could lead out of the target";
            }
        }

        return null;
    }
}
