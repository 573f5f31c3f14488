namespace Restore.Planning.Selection;

/// <summary>Matches whole original paths against one filter expression. Immutable and safe for concurrent use.</summary>
internal abstract class PathPattern
{
    public abstract bool IsMatch(ReadOnlySpan<char> path);
}
