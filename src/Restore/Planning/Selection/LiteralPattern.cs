using System.Collections.Frozen;

namespace Restore.Planning.Selection;

/// <summary>Any of a set of exact paths, in one look-up however many they are.</summary>
internal sealed class LiteralPattern : PathPattern
{
    private readonly FrozenSet<string>.AlternateLookup<ReadOnlySpan<char>> paths;

    public LiteralPattern(IEnumerable<string> paths, bool caseSensitive) =>
        this.paths = paths.ToFrozenSet(caseSensitive ? StringComparer.Ordinal : StringComparer.OrdinalIgnoreCase).GetAlternateLookup<ReadOnlySpan<char>>();

    public override bool IsMatch(ReadOnlySpan<char> path) => paths.Contains(path);
}
