namespace Restore.Catalog;

/// <summary>
/// A content of a version: the bytes of a file or of a metadata blob as a sequence of blocks. It is
/// the number of its only block, if it has the hash and the length of that, which nearly all have;
/// below -1 it has a detail.
/// </summary>
internal readonly record struct ContentId(int Value)
{
    public static readonly ContentId None = new(-1);

    public bool IsNone => Value == -1;

    public static implicit operator int(ContentId id) => id.Value;
}
