namespace Restore.Maintenance;

/// <summary>A block volume.</summary>
/// <param name="Name">Its name in the store.</param>
/// <param name="SizeBytes">Its size there; 0 if it is missing.</param>
/// <param name="State">What is known about it.</param>
public sealed record CheckedVolume(string Name, long SizeBytes, VolumeState State);

/// <summary>The result of a check or repair of a backup.</summary>
public sealed record CheckReport
{
    /// <summary>Versions with a usable file list.</summary>
    public int Versions { get; init; }

    /// <summary>Index volumes, the new ones included.</summary>
    public int IndexVolumes { get; init; }

    /// <summary>Block volumes.</summary>
    public int BlockVolumes { get; init; }

    /// <summary>
    /// Each block volume, by name: the volumes in the store, and volumes that an index volume
    /// describes but the store does not have.
    /// </summary>
    public IReadOnlyList<CheckedVolume> Volumes { get; init; } = [];

    /// <summary>Blocks that entries of some version refer to.</summary>
    public long Blocks { get; init; }

    /// <summary>Of those, blocks that no volume has.</summary>
    public long LostBlocks { get; init; }

    /// <summary>Blocks that no entry refers to any more.</summary>
    public long UnusedBlocks { get; init; }

    /// <summary>Their length before compression, in bytes.</summary>
    public long UnusedBytes { get; init; }

    /// <summary>Further copies of blocks.</summary>
    public long RepeatedBlocks { get; init; }

    /// <summary>Names of the index volumes that were made.</summary>
    public IReadOnlyList<string> IndexVolumesMade { get; init; } = [];

    /// <summary>
    /// Names of the block volumes that were made, for a block that Duplicati needs but a restore
    /// does not.
    /// </summary>
    public IReadOnlyList<string> BlockVolumesMade { get; init; } = [];

    /// <summary>
    /// Names of the block volumes that no index volume describes, after the repair.
    /// </summary>
    public IReadOnlyList<string> WithoutIndex { get; init; } = [];

    /// <summary>Bytes read from the store.</summary>
    public long BytesFetched { get; init; }

    /// <summary>Duration.</summary>
    public TimeSpan Elapsed { get; init; }

    /// <summary>What is wrong.</summary>
    public IReadOnlyList<RestoreIssue> Issues { get; init; } = [];
}
