using System.Collections.Frozen;

namespace Restore.Format.Selection;

/// <summary>The texts of one kind.</summary>
internal sealed class PlainSet
{
    private readonly FrozenSet<string>.AlternateLookup<ReadOnlySpan<char>> texts;

    public PlainSet(IEnumerable<PlainPath> all, PlainKind kind, bool caseSensitive)
    {
        FrozenSet<string> set = all.Where(one => one.Kind == kind)
            .Select(one => one.Text)
            .ToFrozenSet(caseSensitive ? StringComparer.Ordinal : StringComparer.OrdinalIgnoreCase);
        IsEmpty = set.Count == 0;
        texts = set.GetAlternateLookup<ReadOnlySpan<char>>();
    }

    public bool IsEmpty { get; }

    public bool Contains(ReadOnlySpan<char> text) => texts.Contains(text);
}
