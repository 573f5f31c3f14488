namespace Restore;

/// <summary>
/// A volume that is missing, damaged or refused, and has data that is lost. With a sound copy of
/// the volume, the data can be restored.
/// </summary>
/// <param name="Name">Its name in the store.</param>
/// <param name="IsInStore">Whether the store has the volume, damaged or refused. If false, the
/// volume is missing.</param>
/// <param name="Entries">Entries that lost content or metadata with it.</param>
/// <param name="Bytes">The lost bytes of their contents. Bytes of an entry that lost several
/// volumes count for each of them.</param>
public sealed record LostVolume(string Name, bool IsInStore, long Entries, long Bytes)
{
    /// <summary>
    /// Whether the store refuses access to the volume. The volume is not known to be damaged, and a
    /// user with access can restore its data.
    /// </summary>
    public bool IsRefused { get; init; }

    /// <summary>
    /// Why the volume cannot be read although it is not known to be damaged:
    /// <see cref="IssueCode.VolumeRefused"/>, <see cref="IssueCode.VolumeFrozen"/>,
    /// <see cref="IssueCode.VolumeTooLarge"/> or another; <see cref="IssueCode.None"/> for a volume
    /// that is damaged or missing.
    /// </summary>
    public IssueCode Code { get; init; }

    /// <summary>
    /// Whether a volume with this issue cannot be read at the moment, and is not known to be
    /// damaged.
    /// </summary>
    internal static bool IsUnread(IssueCode code) =>
        code
            is IssueCode.VolumeRefused
                or IssueCode.AccessDenied
                or IssueCode.VolumeFrozen
                or IssueCode.VolumeTooLarge
                or IssueCode.VolumePlaceholder;
}
