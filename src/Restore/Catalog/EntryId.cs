namespace Restore.Catalog;

/// <summary>An entry of a version, in the order of its file list.</summary>
internal readonly record struct EntryId(int Value) : IId<EntryId>
{
    public static readonly EntryId None = new(-1);

    public bool IsNone => Value < 0;

    public static IdRange<EntryId> UpTo(int count) => new(count);

    public static EntryId Of(int value) => new(value);

    public static implicit operator int(EntryId id) => id.Value;
}
