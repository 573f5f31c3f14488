namespace Restore.Catalog;

/// <summary>
/// A content of a version: the bytes of a file or of a metadata blob as a sequence of blocks.
/// Nearly all contents are a single block with the same hash and length; for these the value is the
/// number of the block. A value below -1 refers to a detail.
/// </summary>
internal readonly record struct ContentId(int Value)
{
    public static readonly ContentId None = new(-1);

    public bool IsNone => Value == -1;

    public static implicit operator int(ContentId id) => id.Value;
}
