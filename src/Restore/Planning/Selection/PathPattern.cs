namespace Restore.Planning.Selection;

/// <summary>What one filter expression matches: always the whole original path. Immutable and safe for concurrent use.</summary>
internal abstract class PathPattern
{
    public abstract bool IsMatch(ReadOnlySpan<char> path);
}
