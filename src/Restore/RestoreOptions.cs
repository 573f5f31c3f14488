using System.Text.Json.Serialization;

namespace Restore;

/// <summary>What to restore, where to, and how. Defaults are those of the command line.</summary>
public sealed record RestoreOptions
{
    /// <summary>Folder to restore into; null restores every entry to its original place.</summary>
    public string? Target { get; init; }

    /// <summary>Which entries; the default takes all.</summary>
    [JsonIgnore]
    public EntryFilter Filter { get; init; } = EntryFilter.All;

    /// <summary>Whether a differing file at the target is replaced. If not, the restored one gets a new name beside it.</summary>
    public bool Overwrite { get; init; }

    /// <summary>Leaves out times, modes, attributes and (their target is metadata) links.</summary>
    public bool SkipMetadata { get; init; }

    /// <summary>Restores mode, owner and group too.</summary>
    public bool RestorePermissions { get; init; }

    /// <summary>Keeps the full original path below the target instead of cutting off what all entries have in common.</summary>
    public bool DontCompressRestorePaths { get; init; }

    /// <summary>Creates links whose target is outside of <see cref="Target"/>.</summary>
    public bool AllowRestoreOutsideTargetDirectory { get; init; }

    /// <summary>Takes blocks from the files at the original places, when they are still there.</summary>
    public bool RestoreWithLocalBlocks { get; init; }

    /// <summary>A drill: fetch, decrypt, decode and verify everything, write nothing.</summary>
    public bool VerifyOnly { get; init; }

    /// <summary>The legacy flow, sequential: volume by volume through a temporary file, verified in a second pass.</summary>
    public bool Legacy { get; init; }

    /// <summary>Takes a file at the target whose size and time are those of the backup as right, without reading it.</summary>
    public bool TrustTimes { get; init; }

    /// <summary>Measures in the ports of the processes, for <see cref="RestoreReport.Profile"/>.</summary>
    public bool Profile { get; init; }

    /// <summary>What changes the speed and the memory of a restore, and nothing else.</summary>
    public RestoreTuning Tuning { get; init; } = new();
}
