namespace Restore.Ends.Unix;

/// <summary>
/// The owner of an entry. A name that this system knows takes precedence over an id. A user or
/// group that is not recorded is the kernel's "do not change".
/// </summary>
internal readonly record struct OwnerIds(uint User, uint Group)
{
    public const uint Unchanged = uint.MaxValue;

    public bool IsNothing => User == Unchanged && Group == Unchanged;

    public static OwnerIds Of(EntryMetadata metadata, Accounts accounts) =>
        new(
            (metadata.OwnerName is { } owner ? accounts.FindUser(owner) : null) ?? metadata.UserId ?? Unchanged,
            (metadata.GroupName is { } group ? accounts.FindGroup(group) : null) ?? metadata.GroupId ?? Unchanged
        );

    /// <summary>
    /// Sets user and group together. If that fails, sets each alone, because an ordinary user may
    /// choose among their own groups.
    /// </summary>
    /// <param name="change">Changes user and group; returns null or the reason of a
    /// failure.</param>
    public void Apply(Func<uint, uint, string?> change, ref UnappliedMetadata shortfalls)
    {
        if (IsNothing || change(User, Group) is null)
        {
            return;
        }

        if (User != Unchanged && change(User, Unchanged) is { } userReason)
        {
            shortfalls.Add($"The owner could not be set to {User}", userReason);
        }

        if (Group != Unchanged && change(Unchanged, Group) is { } groupReason)
        {
            shortfalls.Add($"The group could not be set to {Group}", groupReason);
        }
    }
}
