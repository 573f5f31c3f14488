using Restore.Memory;

namespace Restore.Catalog;

/// <summary>An entry of a version, in the order of its file list.</summary>
internal readonly record struct EntryId(int Value) : IId<EntryId>
{
    /// <summary>No entry.</summary>
    public static readonly EntryId None = new(-1);

    public bool IsNone => Value < 0;

    /// <summary>The first ids of a table.</summary>
    public static IdRange<EntryId> UpTo(int count) => new(count);

    public static EntryId Of(int value) => new(value);

    /// <summary>An id is an index into tables.</summary>
    public static implicit operator int(EntryId id) => id.Value;
}
