namespace Restore.Format.Selection;

/// <summary>
/// A parsed filter expression: what it matches, by Duplicati's grammar. Its text is in composed
/// form.
/// </summary>
/// <param name="Plain">The plain path, folder or name that it is; null if it is a pattern.</param>
/// <param name="Pattern">The pattern that it is; null if it is plain.</param>
internal sealed record FilterExpression(PlainPath? Plain, PathPattern? Pattern)
{
    private static readonly SearchValues<char> Wildcards = SearchValues.Create("*?");

    public static FilterExpression Of(PlainPath plain) => new(plain, null);

    /// <summary>Parses the expression of an include or exclude.</summary>
    /// <exception cref="RestoreException">The expression cannot be used.</exception>
    public static FilterExpression Parse(string text, bool caseSensitive) =>
        ParseComposed(ComposedText.Of(text), caseSensitive);

    /// <summary>Parses a regular expression in brackets; null if it is not a valid one.</summary>
    public static FilterExpression? TryParseRegex(string text, bool caseSensitive)
    {
        try
        {
            return Parse(text, caseSensitive);
        }
        catch (RestoreException invalid) when (invalid.Code == RestoreErrorCode.FilterInvalid)
        {
            return null;
        }
    }

    // The order of the forms matters: expressions in brackets may contain wildcards, and the forms
    // of a folder or a folder name need only a look-up, which costs less than a pattern.
    private static FilterExpression ParseComposed(string text, bool caseSensitive) =>
        text switch
        {
            "" or "@" or "[]" => throw new RestoreException(
                RestoreErrorCode.FilterEmpty,
                "A filter expression is empty"
            ),
            ['[', .. var regex, ']'] => new FilterExpression(null, new RegexPattern(regex, caseSensitive)),
            ['{', .., '}'] => throw new RestoreException(
                RestoreErrorCode.FilterGroupUnsupported,
                $"The filter group '{text}' cannot be used here: what it means depends on the system that makes the backup, and only a backup takes it"
            ),
            ['@', .. var path] => Of(new PlainPath(path, PlainKind.Path)),
            [.. var path, '*'] when EndsInSeparator(path) && !path.AsSpan().ContainsAny(Wildcards) => Of(
                new PlainPath(path, PlainKind.Folder)
            ),
            ['*', '/' or '\\', .. var name] when IsFolderName(name, text[1]) => Of(
                new PlainPath(name, PlainKind.FolderName)
            ),
            ['*', '/' or '\\', .. var name, '*'] when IsFolderName(name, text[1]) => Of(
                new PlainPath(name, PlainKind.BelowFolderName)
            ),
            _ when text.AsSpan().ContainsAny(Wildcards) => new FilterExpression(
                null,
                GlobPattern.Parse(text, caseSensitive)
            ),
            _ => Of(new PlainPath(text, PlainKind.Path)),
        };

    private static bool IsFolderName(string name, char separator) =>
        name.EndsWith(separator) && name.IndexOf(separator) == name.Length - 1 && !name.AsSpan().ContainsAny(Wildcards);

    private static bool EndsInSeparator(string path) => path is [.., '/' or '\\'];
}
