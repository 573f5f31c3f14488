namespace Restore;

/// <summary>
/// A volume that is missing, damaged or refused, and that lost data depend on: with a sound copy of
/// it, they can be restored.
/// </summary>
/// <param name="Name">Its name in the store.</param>
/// <param name="IsInStore">Whether the store has it, damaged or refused; else it is
/// missing.</param>
/// <param name="Entries">Entries that lost content or metadata with it.</param>
/// <param name="Bytes">The lost bytes of their contents. Bytes of an entry that lost several
/// volumes count for each of them.</param>
public sealed record LostVolume(string Name, bool IsInStore, long Entries, long Bytes)
{
    /// <summary>
    /// Whether the store refuses access to it: nothing says that it is damaged, and a user who may
    /// read it can restore what it has.
    /// </summary>
    public bool IsRefused { get; init; }

    /// <summary>
    /// Why the volume cannot be read though nothing says that it is damaged:
    /// <see cref="IssueCode.VolumeRefused"/>, <see cref="IssueCode.VolumeFrozen"/>,
    /// <see cref="IssueCode.VolumeTooLarge"/> or another; <see cref="IssueCode.None"/> for a volume
    /// that is damaged or missing.
    /// </summary>
    public IssueCode Code { get; init; }
}
