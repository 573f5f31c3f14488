namespace Restore.Memory;

/// <summary>
/// The number of an item of a table as a type of its own: costs nothing at run time, and the
/// compiler rejects the number of another table.
/// </summary>
internal interface IId<TSelf>
    where TSelf : struct, IId<TSelf>
{
    static abstract TSelf Of(int value);
}
