namespace Restore;

/// <summary>The result of a check or repair of a backup.</summary>
public sealed record CheckReport
{
    /// <summary>Versions whose file list can be used.</summary>
    public int Versions { get; init; }

    /// <summary>Index volumes, the new ones included.</summary>
    public int IndexVolumes { get; init; }

    /// <summary>Block volumes.</summary>
    public int BlockVolumes { get; init; }

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

    /// <summary>Names of the block volumes that no index volume describes, after the repair.</summary>
    public IReadOnlyList<string> WithoutIndex { get; init; } = [];

    /// <summary>Bytes read from the store.</summary>
    public long BytesFetched { get; init; }

    /// <summary>Duration.</summary>
    public TimeSpan Elapsed { get; init; }

    /// <summary>What is wrong.</summary>
    public IReadOnlyList<RestoreIssue> Issues { get; init; } = [];
}
