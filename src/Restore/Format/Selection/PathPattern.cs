namespace Restore.Format.Selection;

/// <summary>
/// Matches whole original paths against one filter expression. Immutable and safe for concurrent
/// use.
/// </summary>
internal abstract class PathPattern
{
    /// <summary>Separators of a path: a backup may come from another system.</summary>
    public static readonly SearchValues<char> Separators = SearchValues.Create("/\\");

    public abstract bool IsMatch(ReadOnlySpan<char> path);
}

internal readonly record struct PlainPath(string Text, PlainKind Kind);
