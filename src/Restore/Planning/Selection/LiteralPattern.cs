using System.Collections.Frozen;

namespace Restore.Planning.Selection;

/// <summary>A set of exact paths; one look-up, whatever their number.</summary>
internal sealed class LiteralPattern : PathPattern
{
    private readonly FrozenSet<string>.AlternateLookup<ReadOnlySpan<char>> paths;

    public LiteralPattern(IEnumerable<string> paths, bool caseSensitive) =>
        this.paths = paths.ToFrozenSet(caseSensitive ? StringComparer.Ordinal : StringComparer.OrdinalIgnoreCase).GetAlternateLookup<ReadOnlySpan<char>>();

    public override bool IsMatch(ReadOnlySpan<char> path) => paths.Contains(path);
}
