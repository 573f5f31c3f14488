using System.Text.Json.Serialization;

namespace Restore;

/// <summary>What to restore, where, and how. Defaults are those of the command line.</summary>
public sealed record RestoreOptions
{
    /// <summary>Folder to restore into; null restores every entry to its original place.</summary>
    public string? Target { get; init; }

    /// <summary>Which entries to select; the default selects all.</summary>
    [JsonIgnore]
    public EntryFilter Filter { get; init; } = EntryFilter.All;

    /// <summary>
    /// Whether a differing file at the target is replaced, when the new one is verified. If not, the restored file gets a new name beside it.
    /// </summary>
    public bool Overwrite { get; init; }

    /// <summary>Leaves out times, modes, attributes and (their target is metadata) links.</summary>
    public bool SkipMetadata { get; init; }

    /// <summary>Restores mode, owner and group too.</summary>
    public bool RestorePermissions { get; init; }

    /// <summary>Keeps the full original path below the target, instead of cutting off the common start of all paths.</summary>
    public bool DontCompressRestorePaths { get; init; }

    /// <summary>Creates links whose target is outside of <see cref="Target"/>.</summary>
    public bool AllowRestoreOutsideTargetDirectory { get; init; }

    /// <summary>Takes blocks from the files at the original places, if they still exist.</summary>
    public bool RestoreWithLocalBlocks { get; init; }

    /// <summary>A drill: fetch, decrypt, decode and verify everything, write nothing.</summary>
    public bool VerifyOnly { get; init; }

    /// <summary>The legacy flow, sequential: volume by volume through a temporary file, verified in a second pass.</summary>
    public bool Legacy { get; init; }

    /// <summary>
    /// Ends the restore without waiting until the device has everything that was written. A power failure, or a device with less room than it claims, then
    /// costs files that the report has as restored.
    /// </summary>
    public bool SkipFlush { get; init; }

    /// <summary>
    /// Reads all restored files again at the end, past the page cache where the system can, and compares their hashes: what a device does not return as it
    /// was written is <see cref="IssueKind.Doubtful"/>. Not together with <see cref="SkipFlush"/>.
    /// </summary>
    public bool VerifyAfter { get; init; }

    /// <summary>Treats a file at the target as right if its size and time are those of the backup, without reading it.</summary>
    public bool TrustTimes { get; init; }

    /// <summary>
    /// If blocks are lost: takes them from files at the target and at the original places that have them by the list of any version, and looks for other
    /// versions in which the lost files are whole (<see cref="RestoreReport.WholeElsewhere"/>). Reads all file lists, and more volumes.
    /// </summary>
    public bool SalvageVersions { get; init; }

    /// <summary>Measures the processes, for <see cref="RestoreReport.Profile"/>.</summary>
    public bool Profile { get; init; }

    /// <summary>Settings that change only the speed and the memory of a restore.</summary>
    public RestoreTuning Tuning { get; init; } = new();
}
