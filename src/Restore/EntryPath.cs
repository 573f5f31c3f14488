using Restore.Format.Selection;
using Restore.Planning.Paths;

namespace Restore;

/// <summary>
/// Original paths as text. A path that begins with '/' has no other separator. Every other path
/// counts as a Windows path and is split at '\' and '/'.
/// </summary>
public static class EntryPath
{
    /// <summary>
    /// Whether two texts are the same path: also if one has the long form of Windows
    /// (<c>\\?\C:\x</c>).
    /// </summary>
    public static bool AreSame(ReadOnlySpan<char> left, ReadOnlySpan<char> right) =>
        WindowsPath.Usual(left).SequenceEqual(WindowsPath.Usual(right));

    /// <summary>
    /// A text in composed form, in which a letter with an accent is one character: a Mac writes it
    /// as two. The text itself if it has that form.
    /// </summary>
    public static ReadOnlySpan<char> Composed(ReadOnlySpan<char> text) =>
        ComposedText.IsComposed(text) ? text : ComposedText.Compose(text);

    /// <summary>The path without the separator at its end.</summary>
    public static ReadOnlySpan<char> WithoutSeparator(ReadOnlySpan<char> path) => path.TrimEnd(SeparatorsOf(path));

    /// <summary>
    /// The folder that an entry is in, with the separator at its end; empty if the path has no
    /// folder.
    /// </summary>
    public static string FolderOf(string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        return path[..FolderLength(WithoutSeparator(path), SeparatorsOf(path))];
    }

    /// <summary>The name of an entry: the last part of its path, without a separator.</summary>
    public static string NameOf(string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        ReadOnlySpan<char> whole = WithoutSeparator(path);
        return whole[FolderLength(whole, SeparatorsOf(path))..].ToString();
    }

    /// <summary>
    /// The folder that a beginning of a path ends in, with its separator: the path itself if it
    /// ends with one.
    /// </summary>
    /// <param name="path">The path.</param>
    /// <param name="length">How much of it counts.</param>
    public static int FolderLength(ReadOnlySpan<char> path, int length) =>
        FolderLength(path[..length], SeparatorsOf(path));

    /// <summary>
    /// Where the part of a path ends that begins at a place: after its separator. The first part is
    /// the root: a drive, or a server.
    /// </summary>
    /// <param name="path">The path.</param>
    /// <param name="start">Where the part begins.</param>
    public static int EndOfPart(ReadOnlySpan<char> path, int start)
    {
        // The separators before a server, and before a drive in the long form, belong to it.
        int from = start;
        if (start == 0 && WindowsPath.Is(path))
        {
            ReadOnlySpan<char> usual = WindowsPath.Usual(path);
            from = path.Length - usual.Length + (usual is ['\\', ..] ? 2 : 0);
        }

        int end = from < path.Length ? path[from..].IndexOfAny(SeparatorsOf(path)) : -1;
        return end < 0 ? path.Length : from + end + 1;
    }

    /// <summary>
    /// The names below the folder that a whole backup is restored to: of <c>C:\x</c> they are
    /// <c>C</c> and <c>x</c>, and of <c>\\server\share\x</c> the server, the share and <c>x</c>. A
    /// server with a name like a drive is below <c>UNC</c>.
    /// </summary>
    public static IReadOnlyList<string> TargetNames(string path)
    {
        ArgumentNullException.ThrowIfNull(path);
        string usual = WindowsPath.Usual<char>(path).ToString();
        string[] names = [.. usual.Split(SeparatorsOf(path).ToArray()).Where(name => name.Length > 0)];
        if (names is [[var drive, ':'], ..] && !path.StartsWith('/'))
        {
            names[0] = char.ToUpperInvariant(drive).ToString();
        }

        ReadOnlySpan<byte> shares = OriginalPath.SharesFolderOf(Encoding.UTF8.GetBytes(usual));
        return shares.IsEmpty ? names : [Encoding.UTF8.GetString(shares), .. names];
    }

    private static ReadOnlySpan<char> SeparatorsOf(ReadOnlySpan<char> path) => path.StartsWith('/') ? "/" : "\\/";

    private static int FolderLength(ReadOnlySpan<char> path, ReadOnlySpan<char> separators) =>
        path.LastIndexOfAny(separators) + 1;
}
