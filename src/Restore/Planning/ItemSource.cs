namespace Restore.Planning;

internal enum ItemSource : byte
{
    Fetched,

    /// <summary>A full block of zeros; nothing is fetched.</summary>
    Zeros,

    InPlace,

    Local,

    /// <summary>Nowhere: the block is unknown, or no volume has it.</summary>
    Nowhere,
}
