namespace Restore.Maintenance;

/// <summary>
/// Which versions of a backup stay, by Duplicati's rules. A version is deleted if any rule says so.
/// </summary>
public sealed record RetentionRules
{
    /// <summary>
    /// The number of newest full versions that stay; null or 0 for all. Partial versions between
    /// full ones are deleted; newer partial versions stay.
    /// </summary>
    public int? KeepVersions { get; init; }

    /// <summary>
    /// Versions of this time and later stay, with a tolerance of a hundredth of the time that has
    /// passed since then, at most an hour; null for all. At least one full version stays.
    /// </summary>
    public DateTimeOffset? KeepSince { get; init; }

    /// <summary>Whether <see cref="KeepSince"/> applies without the tolerance.</summary>
    public bool IsExact { get; init; }

    /// <summary>
    /// How close together versions may be; null for no limit. The newest version stays, and so do
    /// partial versions in its time frames.
    /// </summary>
    public RetentionPolicy? Policy { get; init; }

    /// <summary>Numbers of versions to delete; 0 is the newest.</summary>
    public IReadOnlyList<int> Versions { get; init; } = [];

    /// <summary>
    /// Whether the newest good version may be deleted although all newer ones are suspect or
    /// incomplete. Otherwise it stays: see <see cref="Backup.AssessAsync"/>.
    /// </summary>
    public bool AllowsRemovalOfLastGood { get; init; }

    /// <summary>
    /// Whether all versions may be deleted. Otherwise the newest version stays if all would be
    /// deleted, and the policy never deletes it.
    /// </summary>
    public bool AllowsFullRemoval { get; init; }
}
