using System.Text.RegularExpressions;

namespace Restore.Format.Selection;

/// <summary>
/// A path argument, read for paths of one system: what it names if it is the name or path of an
/// entry, and what it means as a pattern. All commands read paths with it. A backup made on Windows
/// may be restored anywhere, so both separators count in its paths; elsewhere a backslash is a
/// character of a name.
/// </summary>
/// <param name="Named">What has the text as its name or path.</param>
/// <param name="Meant">What it means besides: a pattern, or what stands after an <c>@</c>.</param>
internal sealed record PathArgument(IReadOnlyList<PlainPath> Named, IReadOnlyList<FilterExpression> Meant)
{
    private static readonly SearchValues<char> Wildcards = SearchValues.Create("*?");

    /// <summary>Reads an argument.</summary>
    /// <exception cref="RestoreException">The argument is empty.</exception>
    public static PathArgument Parse(string text, PathReading reading)
    {
        if (text is "" or "@")
        {
            throw new RestoreException(RestoreErrorCode.PathEmpty, "A path argument is empty");
        }

        PlainPath[] named = IsPlainOnly(text) ? [] : [.. Naming(text, reading)];
        return text.StartsWith('@')
                ? new PathArgument(named, [.. Naming(text[1..], reading).Select(FilterExpression.Of)])
            : IsPattern(text) ? new PathArgument(named, [.. Pattern(text, reading)])
            : new PathArgument(named, []);
    }

    /// <summary>
    /// Whether the names in a version decide what a text means: a pattern, or <c>@name</c>, that is
    /// the name or path of an entry too. One that begins with <c>*</c> is always a pattern, because
    /// files of such names are accidents.
    /// </summary>
    public static bool IsAmbiguous(string text) =>
        text.StartsWith('@') ? text.Length > 1 && !IsPlainOnly(text) : IsPattern(text) && !text.StartsWith('*');

    /// <summary>Whether a text is a pattern, if no entry is named so.</summary>
    public static bool IsPattern(string text) =>
        text is ['[', .., ']'] || (!text.StartsWith('@') && WithoutLongForm(text).AsSpan().ContainsAny(Wildcards));

    /// <summary>
    /// A text without the start of a long Windows path, because the '?' in that start is not a
    /// wildcard.
    /// </summary>
    public static string WithoutLongForm(string text)
    {
        string path = text.StartsWith("//", StringComparison.Ordinal) ? text.Replace('/', '\\') : text;
        ReadOnlySpan<char> usual = WindowsPath.Usual<char>(path);
        return usual.Length == text.Length ? text : usual.ToString();
    }

    /// <summary>
    /// The folder that keeps its name at the target, with its separator; null if the argument names
    /// no single folder so.
    /// </summary>
    public static string? FolderOf(string text) =>
        text switch
        {
            ['@', .., '/' or '\\'] => text[1..],
            ['@', .. var path] when path.Contains('/', StringComparison.Ordinal) => path + '/',
            ['@', .. var path] when path.Contains('\\', StringComparison.Ordinal) => path + '\\',
            ['[', .. var escaped, '.', '*', ']'] => FolderOfRegex(escaped),
            _ => null,
        };

    /// <summary>
    /// A path as the entries of one system have it: one separator between names, no '.', the usual
    /// form of Windows.
    /// </summary>
    public static string Tidy(string text, bool ofWindows)
    {
        char separator = ofWindows ? '\\' : '/';
        string path = ofWindows ? WindowsPath.Usual<char>(text.Replace('/', '\\')).ToString() : text;
        int root = ofWindows && path.StartsWith(@"\\", StringComparison.Ordinal) ? 2 : 0;
        if (!path.AsSpan(root).ContainsAny(separator, '.'))
        {
            return path;
        }

        string[] names = path[root..].Split(separator);

        // A dot at the end names the folder itself, so its separator stays. An empty name at the
        // start is the root.
        names[^1] = names is [_, .., "."] ? "" : names[^1];
        IEnumerable<string> kept = names.Where(
            (name, at) => at == 0 || at == names.Length - 1 || name is not ("" or ".")
        );
        return names.Length == 1 || (names[0].Length > 0 && !ofWindows)
            ? path
            : path[..root] + string.Join(separator, kept);
    }

    /// <summary>An @ before a path cannot be part of it: a path begins at a root.</summary>
    private static bool IsPlainOnly(string text) =>
        text is ['@', '/', ..] or ['@', '\\', '\\', ..] or ['@', _, ':', ..];

    /// <summary>A name in every folder, or a path; of a folder, what is in it too.</summary>
    private static IEnumerable<PlainPath> Naming(string text, PathReading reading)
    {
        char separator = reading.OfWindows ? '\\' : '/';
        string tidy = ComposedText.Of(Tidy(text, reading.OfWindows));
        string path = tidy.TrimEnd(separator);
        bool namesFolder = path.Length < tidy.Length || (reading.OfWindows && path is [_, ':']);
        if (path.Length == 0)
        {
            return reading.OfWindows ? [] : [new PlainPath(tidy, PlainKind.Folder)];
        }

        bool isPath = path.Contains(separator, StringComparison.Ordinal) || (reading.OfWindows && path is [_, ':']);
        string folder = path + separator;
        return isPath
            ?
            [
                .. namesFolder ? [] : new[] { new PlainPath(path, PlainKind.Path) },
                new PlainPath(folder, PlainKind.Folder),
            ]
            :
            [
                .. namesFolder ? [] : new[] { new PlainPath(path, PlainKind.Name) },
                new PlainPath(folder, reading.WithContent ? PlainKind.BelowFolderName : PlainKind.FolderName),
            ];
    }

    /// <summary>
    /// A pattern without a separator is one for names, and one with a separator at its end takes
    /// what is in such folders, as with Duplicati.
    /// </summary>
    private static IEnumerable<FilterExpression> Pattern(string text, PathReading reading)
    {
        if (text is ['[', .., ']'])
        {
            // A name in brackets need not be a regular expression.
            return FilterExpression.TryParseRegex(text, reading.CaseSensitive) is FilterExpression regex ? [regex] : [];
        }

        char separator = reading.OfWindows ? '\\' : '/';
        string pattern = reading.OfWindows ? WithoutLongForm(text).Replace('/', '\\') : text;
        bool isOfPaths = pattern.StartsWith('*') || pattern.AsSpan().TrimEnd(separator).Contains(separator);
        string anywhere = isOfPaths ? pattern : $"*{separator}{pattern}";
        string whole = anywhere.EndsWith(separator) && reading.WithContent ? anywhere + '*' : anywhere;
        return [FilterExpression.Parse(whole, reading.CaseSensitive)];
    }

    /// <summary>Duplicati's user interface writes a folder as <c>[escaped path.*]</c>.</summary>
    private static string? FolderOfRegex(string escaped)
    {
        try
        {
            string folder = Regex.Unescape(escaped);
            return Regex.Escape(folder) == escaped && folder is [.., '/' or '\\'] ? folder : null;
        }
        catch (ArgumentException)
        {
            return null;
        }
    }
}
