using System.Collections.ObjectModel;
using System.Text.Json.Serialization;

namespace Restore;

/// <summary>
/// What to restore, and where: part of the plan. How it runs on this machine is in
/// <see cref="ExecuteOptions"/>. The defaults are the same as on the command line.
/// </summary>
public sealed record RestoreOptions
{
    /// <summary>Folder to restore into; null restores every entry to its original place.</summary>
    public string? Target { get; init; }

    /// <summary>
    /// Which entries to select; the default selects all. A saved plan has the entries, but not the
    /// filter.
    /// </summary>
    [JsonIgnore]
    public EntryFilter Filter { get; init; } = EntryFilter.All;

    /// <summary>
    /// What comes first, in order: the volumes of the entries that the first filter takes, then the
    /// volumes for the next filter, then all other volumes. The order causes no volume to be
    /// fetched twice: a volume that is fetched also supplies the blocks of other entries. A saved
    /// plan has the order, but not the filters.
    /// </summary>
    [JsonIgnore]
    public IReadOnlyList<EntryFilter> First { get; init; } = [];

    /// <summary>
    /// Whether a differing file at the target is replaced once the new file is verified. If not,
    /// the restored file gets a new name next to it.
    /// </summary>
    public bool Overwrite { get; init; }

    /// <summary>
    /// Whether a file that already has some right blocks is changed in place, instead of being
    /// replaced by a new file. This needs no extra room and few writes, but after an interruption
    /// the file is neither old nor new until the same restore is completed. Without this option, a
    /// file is changed in place only where there is no room for a second copy. Needs
    /// <see cref="Overwrite"/>.
    /// </summary>
    public bool OverwriteInPlace { get; init; }

    /// <summary>
    /// Which differing files and links at the target stay as they are, without a restored file next
    /// to them. <see cref="Overwrite"/> decides about the others. Each file or link that stays is a
    /// warning with the code <see cref="IssueCode.KeptAtTarget"/>.
    /// </summary>
    public KeptAtTarget Keep { get; init; }

    /// <summary>
    /// Leaves out times, modes, attributes, and also links, because the target of a link is
    /// metadata.
    /// </summary>
    public bool SkipMetadata { get; init; }

    /// <summary>Restores mode, owner and group too.</summary>
    public bool RestorePermissions { get; init; }

    /// <summary>
    /// Owners of the backup, and which accounts of this system take their place: by the SID of an
    /// access rule of Windows (the value is a SID or the name of an account), by the name or number
    /// of a user, or of a group with a colon before both. Needs <see cref="RestorePermissions"/>.
    /// </summary>
    public IReadOnlyDictionary<string, string> MapOwners { get; init; } = ReadOnlyDictionary<string, string>.Empty;

    /// <summary>
    /// Keeps the full original path below the target, instead of cutting off the common start of
    /// all paths.
    /// </summary>
    public bool DontCompressRestorePaths { get; init; }

    /// <summary>
    /// Whether links to a place outside of <see cref="Target"/> are created. Null decides by the
    /// backup: such links are created if the file list is authentic (encrypted with the
    /// passphrase), and left out otherwise, because anyone who can write to the storage could have
    /// made them.
    /// </summary>
    public bool? AllowRestoreOutsideTargetDirectory { get; init; }

    /// <summary>Takes blocks from the files at the original places, if they still exist.</summary>
    public bool RestoreWithLocalBlocks { get; init; }

    /// <summary>A drill: fetch, decrypt, decode and verify everything, write nothing.</summary>
    public bool VerifyOnly { get; init; }

    /// <summary>
    /// Treats a file at the target as right, without reading it, if it has the same size and time
    /// as in the backup.
    /// </summary>
    public bool TrustTimes { get; init; }

    /// <summary>
    /// If blocks are lost, takes them from files at the target and at the original places that have
    /// these blocks according to the list of any version, and looks for other versions in which the
    /// lost files are whole (<see cref="RestoreReport.WholeElsewhere"/>). Reads all file lists, and
    /// more volumes.
    /// </summary>
    public bool SalvageVersions { get; init; }
}
