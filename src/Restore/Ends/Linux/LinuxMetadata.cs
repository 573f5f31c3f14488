using Restore.Ends.Unix;

namespace Restore.Ends.Linux;

/// <summary>
/// Applies metadata through handles; collects a reason for what the system refuses.
/// </summary>
internal sealed class LinuxMetadata
{
    private const int PermissionBits = 0x1FF;
    private const int WriteBits = 0x92;

    private readonly Accounts accounts = new();
    private readonly int mask = UnixCalls.FileMask();

    /// <summary>
    /// Applies to an open file or folder. The order matters: a change of owner clears capabilities;
    /// an ordinary user can no longer set attributes of a file that the mode makes read-only; the
    /// times come last because other changes may change them.
    /// </summary>
    public void Apply(
        int handle,
        bool isFolder,
        EntryMetadata metadata,
        bool withPermissions,
        ref UnappliedMetadata shortfalls
    )
    {
        if (withPermissions)
        {
            OwnerIds
                .Of(metadata, accounts)
                .Apply((user, group) => ReasonOf(Kernel.ChangeOwner(handle, user, group)), ref shortfalls);
        }

        int? recorded = metadata.Mode;
        foreach ((string name, byte[] value) in AttributeNames.Wanted(metadata, withPermissions))
        {
            int result = SetAttribute(handle, name, value);
            recorded = result < 0 && name == AccessList.Name ? AccessList.ModeWithout(metadata) : recorded;
            Note(result, $"The extended attribute '{name}' could not be set", ref shortfalls);
        }

        if (withPermissions && recorded is { } mode)
        {
            Note(Kernel.ChangeMode(handle, mode & PermissionBits), "The mode could not be set", ref shortfalls);
        }
        else
        {
            Note(Finish(handle, isFolder, metadata), "The mode could not be set", ref shortfalls);
        }

        if (metadata.LastWriteTicks is { } ticks)
        {
            int result = Kernel.SetModified(handle, ticks);
            Note(result, "The last-modified time could not be set", ref shortfalls);
            if (result >= 0 && Kernel.StatusOfHandle(handle, out FileStatus status) >= 0)
            {
                if (
                    !StoredTime.IsAsWanted(ticks, status.ModifiedTicks)
                    && Kernel.SetModifiedAndAccessed(handle, ticks) >= 0
                )
                {
                    _ = Kernel.StatusOfHandle(handle, out status);
                }

                StoredTime.Check("last-modified time", ticks, status.ModifiedTicks, ref shortfalls);
            }
        }
    }

    /// <summary>Applies to a link itself: a link has only an owner and times.</summary>
    public void ApplyToLink(
        int folder,
        ReadOnlySpan<byte> name,
        EntryMetadata metadata,
        bool withPermissions,
        ref UnappliedMetadata shortfalls
    )
    {
        if (withPermissions)
        {
            byte[] link = name.ToArray();
            OwnerIds
                .Of(metadata, accounts)
                .Apply((user, group) => ReasonOf(Kernel.ChangeOwnerAt(folder, link, user, group)), ref shortfalls);
        }

        if (metadata.LastWriteTicks is { } ticks)
        {
            int result = Kernel.SetModifiedAt(folder, name, ticks);
            Note(result, "The last-modified time of the link could not be set", ref shortfalls);
            if (result >= 0 && Kernel.Status(folder, name, out FileStatus status) >= 0)
            {
                StoredTime.Check("last-modified time of the link", ticks, status.ModifiedTicks, ref shortfalls);
            }
        }
    }

    /// <summary>
    /// Applies to a folder with a path-only handle, because its mode forbids its owner to read it.
    /// </summary>
    public void ApplyToClosedFolder(
        int pathHandle,
        EntryMetadata metadata,
        bool withPermissions,
        ref UnappliedMetadata shortfalls
    )
    {
        const int OwnerAll = 0x1C0;
        int result = Kernel.StatusOfHandle(pathHandle, out FileStatus status);
        result = result < 0 ? result : Kernel.ChangeModeOfPathHandle(pathHandle, status.Mode | OwnerAll);
        int handle = result < 0 ? result : Kernel.OpenFolderToRead(pathHandle, ".\0"u8);
        if (handle < 0)
        {
            Note(handle, "The metadata of the folder could not be set", ref shortfalls);
            return;
        }

        if (!withPermissions || metadata.Mode is null)
        {
            _ = Kernel.ChangeMode(handle, status.Mode);
        }

        Apply(handle, isFolder: true, metadata, withPermissions, ref shortfalls);
        _ = Kernel.Close(handle);
    }

    public static void Note(int result, string what, ref UnappliedMetadata shortfalls)
    {
        if (ReasonOf(result) is { } reason)
        {
            shortfalls.Add(what, reason);
        }
    }

    private static string? ReasonOf(int result) => result < 0 ? KernelFailure.Reason(-result) : null;

    private static int SetAttribute(int handle, string name, byte[] value) =>
        NativeText.TryEncode(name, stackalloc byte[NativeText.NameBytes], out ReadOnlySpan<byte> encoded)
            ? Kernel.SetAttribute(handle, encoded, value)
            : -Errno.Range;

    /// <summary>
    /// Gives what a restore created its mode. A file that was there before can become read-only, if
    /// that is recorded.
    /// </summary>
    private int Finish(int handle, bool isFolder, EntryMetadata metadata)
    {
        int result = Kernel.StatusOfHandle(handle, out FileStatus status);
        if (result < 0)
        {
            return result;
        }

        if (NewModes.IsUnfinished(status.Mode, isFolder))
        {
            return Kernel.ChangeMode(handle, NewModes.Finished(status.Mode, isFolder, mask, metadata));
        }

        bool isReadOnly =
            !isFolder && metadata.Attributes is { } attributes && attributes.HasFlag(FileAttributes.ReadOnly);
        return isReadOnly ? Kernel.ChangeMode(handle, status.Mode & ~WriteBits) : 0;
    }
}
