using Restore.Memory;

namespace Restore.Catalog;

/// <summary>A content of a version: the bytes of a file or of a metadata blob.</summary>
internal readonly record struct ContentId(int Value) : IId<ContentId>
{
    /// <summary>No content.</summary>
    public static readonly ContentId None = new(-1);

    public bool IsNone => Value < 0;

    /// <summary>The first ids of a table.</summary>
    public static IdRange<ContentId> UpTo(int count) => new(count);

    public static ContentId Of(int value) => new(value);

    /// <summary>An id is an index into tables.</summary>
    public static implicit operator int(ContentId id) => id.Value;
}
