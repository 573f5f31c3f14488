namespace Restore.Maintenance;

/// <summary>What a backup loses without the given volumes.</summary>
public sealed record AffectedReport
{
    /// <summary>The volumes that were asked for.</summary>
    public required IReadOnlyList<AffectedVolume> Volumes { get; init; }

    /// <summary>The number of versions that were examined.</summary>
    public int Versions { get; init; }

    /// <summary>The versions that lose their file list, because it is among the volumes.</summary>
    public IReadOnlyList<AffectedVersion> LostVersions { get; init; } = [];

    /// <summary>
    /// The entries that lose content or metadata without the volumes, each with its versions.
    /// Blocks that another volume has too are not lost.
    /// </summary>
    public IReadOnlyList<RestoreIssue> Issues { get; init; } = [];

    /// <summary>Bytes read from the store.</summary>
    public long BytesFetched { get; init; }

    /// <summary>Duration.</summary>
    public TimeSpan Elapsed { get; init; }
}

/// <summary>A volume, and what depends on it.</summary>
/// <param name="Name">Its name in the store.</param>
/// <param name="IsInStore">Whether the store has it.</param>
/// <param name="HasParity">Whether the store has a parity file for it, which may repair or rebuild
/// it.</param>
/// <param name="Entries">Entries that lose content or metadata that is known to be in it.</param>
/// <param name="Bytes">The lost bytes of their contents. Bytes of an entry that loses several
/// volumes count for each of them.</param>
public sealed record AffectedVolume(string Name, bool IsInStore, bool HasParity, long Entries, long Bytes);
