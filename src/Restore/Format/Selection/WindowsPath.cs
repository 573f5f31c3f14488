using System.Numerics;

namespace Restore.Format.Selection;

/// <summary>
/// Paths of Windows: with a drive (<c>C:\x</c>), of a share (<c>\\server\share\x</c>), and the same
/// in the long form (<c>\\?\C:\x</c>).
/// </summary>
internal static class WindowsPath
{
    /// <summary>
    /// The characters that no name of a file has on Windows, whatever its file system allows.
    /// </summary>
    public static readonly SearchValues<char> ForbiddenInName = SearchValues.Create([
        .. Enumerable.Range(0, 32).Select(code => (char)code),
        .. "\"<>|?*:\\/",
    ]);

    /// <summary>Whether a path in a backup is one of Windows.</summary>
    public static bool Is(ReadOnlySpan<char> path) => path is [_, ':', '\\', ..] or ['\\', '\\', ..];

    /// <summary>
    /// The usual form of a path: <c>\\?\C:\x</c> and <c>\\.\C:\x</c> are <c>C:\x</c>, and
    /// <c>\\?\UNC\server\share</c> is <c>\\server\share</c>. For another device
    /// (<c>\\?\Volume{...}\x</c>), the name of the device takes the place of the server. A path in
    /// the usual form is returned as it is.
    /// </summary>
    public static ReadOnlySpan<T> Usual<T>(ReadOnlySpan<T> path)
        where T : unmanaged, IBinaryInteger<T>
    {
        if (!IsLong(path))
        {
            return path;
        }

        ReadOnlySpan<T> rest = path[4..];
        if (rest.Length >= 2 && IsLetter(rest[0]) && Is(rest[1], ':') && (rest.Length == 2 || Is(rest[2], '\\')))
        {
            return rest;
        }

        bool isShare =
            rest.Length > 4
            && Is(rest[0], 'U', 'u')
            && Is(rest[1], 'N', 'n')
            && Is(rest[2], 'C', 'c')
            && Is(rest[3], '\\');
        if (!isShare && Is(path[2], '.'))
        {
            // A device itself, which has no files.
            return path;
        }

        T backslash = T.CreateTruncating('\\');
        return (T[])[backslash, backslash, .. isShare ? rest[4..] : rest];
    }

    /// <summary>
    /// Whether a path names a device of Windows other than a drive and a share: a volume by its
    /// number, a snapshot.
    /// </summary>
    public static bool IsDevice(ReadOnlySpan<byte> path) =>
        IsLong(path) && Usual(path) is var usual && usual is [(byte)'\\', ..] && usual.Length == path.Length - 2;

    private static bool IsLong<T>(ReadOnlySpan<T> path)
        where T : unmanaged, IBinaryInteger<T> =>
        path.Length > 4 && Is(path[0], '\\') && Is(path[1], '\\') && Is(path[2], '?', '.') && Is(path[3], '\\');

    private static bool IsLetter<T>(T character)
        where T : unmanaged, IBinaryInteger<T> => char.IsAsciiLetter((char)uint.CreateSaturating(character));

    private static bool Is<T>(T character, char one, char other = '\0')
        where T : unmanaged, IBinaryInteger<T> =>
        character == T.CreateTruncating(one) || (other != '\0' && character == T.CreateTruncating(other));
}
