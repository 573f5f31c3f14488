using System.Text.RegularExpressions;

namespace Restore.Format.Selection;

/// <summary>A parsed filter expression or path argument: what it matches, by Duplicati's grammar.</summary>
/// <param name="Plain">The plain path, folder or name that it is; null if it is a pattern.</param>
/// <param name="Pattern">The pattern that it is; null if it is plain.</param>
/// <param name="Folder">The folder that a path argument names, with its separator; null if it names no single folder.</param>
internal sealed record FilterExpression(PlainPath? Plain, PathPattern? Pattern, string? Folder)
{
    private static readonly SearchValues<char> Wildcards = SearchValues.Create("*?");

    /// <summary>Parses the expression of an include or exclude.</summary>
    /// <exception cref="RestoreException">The expression cannot be used.</exception>
    public static FilterExpression Parse(string text, bool caseSensitive) => text switch
    {
        "" or "@" => throw new RestoreException(RestoreErrorCode.FilterEmpty, "A filter expression is empty"),
        ['[', .. var regex, ']'] => new FilterExpression(null, new RegexPattern(regex, caseSensitive), null),
        ['{', .., '}'] => throw new RestoreException(
            RestoreErrorCode.FilterGroupUnsupported,
            $"The filter group '{text}' cannot be used for a restore: it defines what a backup leaves out"),
        ['@', .. var path] => new FilterExpression(new PlainPath(path, PlainKind.Path), null, null),
        [.. var path, '*'] when EndsInSeparator(path) && !path.AsSpan().ContainsAny(Wildcards) =>
            new FilterExpression(new PlainPath(path, PlainKind.Folder), null, null),
        ['*', '/' or '\\', .. var name] when IsFolderName(name, text[1]) => new FilterExpression(new PlainPath(name, PlainKind.FolderName), null, null),
        ['*', '/' or '\\', .. var name, '*'] when IsFolderName(name, text[1]) =>
            new FilterExpression(new PlainPath(name, PlainKind.BelowFolderName), null, null),
        _ when text.AsSpan().ContainsAny(Wildcards) => new FilterExpression(null, GlobPattern.Parse(text, caseSensitive), null),
        _ => new FilterExpression(new PlainPath(text, PlainKind.Path), null, null),
    };

    /// <summary>
    /// Parses a path argument. A bare name matches in every folder, and a folder matches all that is below it, with the separators of either
    /// system, because a backup made on Windows may be restored anywhere. Everything else is an expression.
    /// </summary>
    /// <exception cref="RestoreException">The argument cannot be used.</exception>
    public static FilterExpression ParseArgument(string text, bool caseSensitive)
    {
        bool isLiteral = text.StartsWith('@');
        string path = isLiteral ? text[1..] : text;
        if (path.Length == 0)
        {
            throw new RestoreException(RestoreErrorCode.PathEmpty, "A path argument is empty");
        }

        if (!isLiteral && (text.StartsWith('[') || text.AsSpan().ContainsAny(Wildcards)))
        {
            return Parse(text, caseSensitive) with { Folder = FolderOfRegex(text) };
        }

        if (EndsInSeparator(path))
        {
            // Duplicati's command line makes a plain folder into 'folder*', which names no folder, and a literal one into an expression that does.
            return new FilterExpression(new PlainPath(path, PlainKind.Folder), null, isLiteral ? path : null);
        }

        return path.AsSpan().ContainsAny(PathPattern.Separators)
            ? Parse(text, caseSensitive)
            : new FilterExpression(new PlainPath(path, PlainKind.Name), null, null);
    }

    /// <summary>Duplicati's user interface writes a folder as <c>[escaped path.*]</c>.</summary>
    private static string? FolderOfRegex(string text)
    {
        if (text is not ['[', .. var escaped, '.', '*', ']'])
        {
            return null;
        }

        try
        {
            string folder = Regex.Unescape(escaped);
            return Regex.Escape(folder) == escaped && EndsInSeparator(folder) ? folder : null;
        }
        catch (ArgumentException)
        {
            return null;
        }
    }

    private static bool IsFolderName(string name, char separator) =>
        name.EndsWith(separator) && name.IndexOf(separator) == name.Length - 1 && !name.AsSpan().ContainsAny(Wildcards);

    private static bool EndsInSeparator(string path) => path is [.., '/' or '\\'];
}
