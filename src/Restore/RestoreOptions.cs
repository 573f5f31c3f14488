using System.Text.Json.Serialization;

namespace Restore;

/// <summary>
/// What to restore, and where: part of the plan. How it runs on this machine is in
/// <see cref="ExecuteOptions"/>. Defaults are those of the command line.
/// </summary>
public sealed record RestoreOptions
{
    /// <summary>Folder to restore into; null restores every entry to its original place.</summary>
    public string? Target { get; init; }

    /// <summary>
    /// Which entries to select; the default selects all. The plan has the entries, and not the
    /// filter.
    /// </summary>
    [JsonIgnore]
    public EntryFilter Filter { get; init; } = EntryFilter.All;

    /// <summary>
    /// What comes first, in order: the volumes of the entries that the first filter takes, then
    /// those of the next one, then all others. Nothing is fetched twice for it. Of a volume that is
    /// fetched, the blocks of other entries come too. The plan has the order, and not the filters.
    /// </summary>
    [JsonIgnore]
    public IReadOnlyList<EntryFilter> First { get; init; } = [];

    /// <summary>
    /// Whether a differing file at the target is replaced, when the new one is verified. If not,
    /// the restored file gets a new name beside it.
    /// </summary>
    public bool Overwrite { get; init; }

    /// <summary>
    /// Whether a file that is replaced gets its wrong blocks in place, if it has right ones,
    /// instead of being replaced by a new one: that takes no room and few writes, but an
    /// interrupted restore leaves it neither old nor new until the same restore has ended. Without
    /// it, that happens only where there is no room for a second copy. Needs
    /// <see cref="Overwrite"/>.
    /// </summary>
    public bool OverwriteInPlace { get; init; }

    /// <summary>
    /// Which files and links at the target stay as they are although they differ, without a
    /// restored one beside them; the others are replaced or not, as <see cref="Overwrite"/> says.
    /// Each that stays is a warning with the code <see cref="IssueCode.KeptAtTarget"/>.
    /// </summary>
    public KeptAtTarget Keep { get; init; }

    /// <summary>Leaves out times, modes, attributes and (their target is metadata) links.</summary>
    public bool SkipMetadata { get; init; }

    /// <summary>Restores mode, owner and group too.</summary>
    public bool RestorePermissions { get; init; }

    /// <summary>
    /// Keeps the full original path below the target, instead of cutting off the common start of
    /// all paths.
    /// </summary>
    public bool DontCompressRestorePaths { get; init; }

    /// <summary>
    /// Whether links whose target is outside of <see cref="Target"/> are created. Null decides by
    /// the backup: they are, if the file list is authentic (encrypted with the passphrase), and
    /// left out otherwise, because anyone who can write to the storage can have made them.
    /// </summary>
    public bool? AllowRestoreOutsideTargetDirectory { get; init; }

    /// <summary>Takes blocks from the files at the original places, if they still exist.</summary>
    public bool RestoreWithLocalBlocks { get; init; }

    /// <summary>A drill: fetch, decrypt, decode and verify everything, write nothing.</summary>
    public bool VerifyOnly { get; init; }

    /// <summary>
    /// Treats a file at the target as right if its size and time are those of the backup, without
    /// reading it.
    /// </summary>
    public bool TrustTimes { get; init; }

    /// <summary>
    /// If blocks are lost: takes them from files at the target and at the original places that have
    /// them by the list of any version, and looks for other versions in which the lost files are
    /// whole (<see cref="RestoreReport.WholeElsewhere"/>). Reads all file lists, and more volumes.
    /// </summary>
    public bool SalvageVersions { get; init; }
}
