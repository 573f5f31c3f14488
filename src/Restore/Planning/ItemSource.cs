using Restore.Catalog;

namespace Restore.Planning;

/// <summary>A place that needs a block: an item of an entry.</summary>
internal readonly record struct Want(EntryId Entry, Item Item);

/// <summary>Where the bytes of an item come from.</summary>
internal enum ItemSource : byte
{
    /// <summary>A block that the pass fetches.</summary>
    Fetched,

    /// <summary>A full block of zeros; nothing is fetched.</summary>
    Zeros,

    /// <summary>The target has the bytes already.</summary>
    InPlace,

    /// <summary>A local file has the bytes.</summary>
    Local,

    /// <summary>Nowhere: the block is unknown, or no volume has it.</summary>
    Nowhere,
}
