using Restore.Format;

namespace Restore.Maintenance.Searching;

/// <summary>What the entries of all versions refer to.</summary>
internal interface IReferences
{
    BlockLayout Layout { get; }

    KnownBlocks Blocks { get; }

    /// <summary>The blocklists that were not read yet.</summary>
    PendingBlocklists Pending { get; }

    /// <summary>Takes a blocklist whose bytes were verified.</summary>
    void Accept(int blocklist, ReadOnlySpan<byte> hashes);
}
