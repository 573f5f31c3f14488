namespace Restore;

/// <summary>
/// Which versions of a backup stay. Duplicati's rules; a version goes if any of them says so.
/// </summary>
public sealed record RetentionRules
{
    /// <summary>
    /// How many full versions stay, the newest ones; null or 0 for all. Partial versions between
    /// full ones go, newer ones stay.
    /// </summary>
    public int? KeepVersions { get; init; }

    /// <summary>
    /// Versions of this time and later stay, with a tolerance of a hundredth of the time that has
    /// passed since then, at most an hour; null for all. At least one full version stays.
    /// </summary>
    public DateTimeOffset? KeepSince { get; init; }

    /// <summary>Whether <see cref="KeepSince"/> is taken without the tolerance.</summary>
    public bool IsExact { get; init; }

    /// <summary>
    /// How close together versions may be; null for no limit. The newest version stays, and partial
    /// ones in its time frames.
    /// </summary>
    public RetentionPolicy? Policy { get; init; }

    /// <summary>Numbers of versions that go, 0 for the newest.</summary>
    public IReadOnlyList<int> Versions { get; init; } = [];

    /// <summary>
    /// Whether the newest good version may go although all newer ones are suspect or incomplete.
    /// Otherwise it stays: see <see cref="Backup.AssessAsync"/>.
    /// </summary>
    public bool AllowsRemovalOfLastGood { get; init; }

    /// <summary>
    /// Whether all versions may go. Otherwise the newest stays if all would go, and the policy
    /// never takes it.
    /// </summary>
    public bool AllowsFullRemoval { get; init; }
}
