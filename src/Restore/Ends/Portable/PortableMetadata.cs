using System.Runtime.Versioning;
using Microsoft.Win32.SafeHandles;
using Restore.Ends.Unix;

namespace Restore.Ends.Portable;

/// <summary>
/// Applies metadata through System.IO and the platform's own functions; collects a reason for what
/// is refused.
/// </summary>
internal sealed class PortableMetadata(HeldFiles held)
{
    private const long FirstTicksOfWindows = 504_911_232_000_000_000;
    private const int PermissionBits = 0x1FF;
    private const int MacUnfinishedFile = 0x180;
    private const UnixFileMode WriteBits = UnixFileMode.UserWrite | UnixFileMode.GroupWrite | UnixFileMode.OtherWrite;

    private readonly Accounts accounts = new();
    private readonly RuleAccounts ruleAccounts = new();
    private readonly int mask = OperatingSystem.IsWindows() ? 0 : UnixCalls.FileMask();

    /// <param name="handle">The open file, writable on Windows; or null to use the path: folders
    /// and links.</param>
    /// <param name="fullPath">The path.</param>
    /// <param name="kind">File, folder or link.</param>
    /// <param name="metadata">What to apply.</param>
    /// <param name="withPermissions">Whether to apply owner, mode and access rules.</param>
    public IReadOnlyList<string> Apply(
        SafeFileHandle? handle,
        string fullPath,
        TargetKind kind,
        EntryMetadata metadata,
        bool withPermissions
    )
    {
        var shortfalls = default(UnappliedMetadata);
        if (!OperatingSystem.IsWindows())
        {
            ApplyUnix(handle, fullPath, kind, metadata, withPermissions, ref shortfalls);
        }

        if (OperatingSystem.IsMacOS())
        {
            MacMetadata.Apply(handle, fullPath, metadata, withPermissions, ref shortfalls);
        }

        if (OperatingSystem.IsWindows())
        {
            // Before the times, because it changes them.
            WindowsMetadata.MakeSparse(handle, fullPath, kind, metadata, ref shortfalls);
        }

        SetTimes(handle, fullPath, metadata, ref shortfalls);

        // Last, because the flags and, even more, the access rules may forbid any other change.
        if (OperatingSystem.IsWindows())
        {
            WindowsMetadata.SetAttributes(handle, fullPath, kind, metadata, ref shortfalls);
            if (withPermissions && kind != TargetKind.Symlink)
            {
                WindowsAccessRules.Apply(fullPath, kind, metadata, held, ruleAccounts, ref shortfalls);
            }
        }
        else if (OperatingSystem.IsMacOS() && withPermissions)
        {
            MacMetadata.SetFlags(handle, fullPath, metadata, ref shortfalls);
        }

        return shortfalls.ToList();
    }

    public static void Try(Action action, string what, ref UnappliedMetadata shortfalls)
    {
        try
        {
            action();
        }
        catch (Exception exception) when (PortableFailure.IsExpected(exception))
        {
            shortfalls.Add(what, PortableFailure.Reason(exception));
        }
    }

    /// <summary>Owner, extended attributes and mode, in this order: see the Linux target.</summary>
    [UnsupportedOSPlatform("windows")]
    private void ApplyUnix(
        SafeFileHandle? handle,
        string fullPath,
        TargetKind kind,
        EntryMetadata metadata,
        bool withPermissions,
        ref UnappliedMetadata shortfalls
    )
    {
        if (withPermissions)
        {
            OwnerIds
                .Of(metadata, accounts)
                .Apply((user, group) => UnixCalls.ChangeOwner(handle, fullPath, user, group), ref shortfalls);
        }

        if (kind == TargetKind.Symlink)
        {
            return;
        }

        int? recorded = metadata.Mode;
        foreach ((string name, byte[] value) in AttributeNames.Wanted(metadata, withPermissions))
        {
            if (UnixCalls.SetAttribute(handle, fullPath, name, value) is { } reason)
            {
                recorded = name == AccessList.Name ? AccessList.ModeWithout(metadata) : recorded;
                shortfalls.Add($"The extended attribute '{name}' could not be set", reason);
            }
        }

        if (withPermissions && recorded is { } mode)
        {
            Try(
                () => SetMode(handle, fullPath, (UnixFileMode)(mode & PermissionBits)),
                "The mode could not be set",
                ref shortfalls
            );
        }
        else
        {
            Try(
                () => Finish(handle, fullPath, kind == TargetKind.Folder, metadata),
                "The mode could not be set",
                ref shortfalls
            );
        }
    }

    /// <summary>
    /// Gives what a restore created its mode. A file that was there before can become read-only, if
    /// that is recorded.
    /// </summary>
    [UnsupportedOSPlatform("windows")]
    private void Finish(SafeFileHandle? handle, string fullPath, bool isFolder, EntryMetadata metadata)
    {
        UnixFileMode mode = handle is null ? File.GetUnixFileMode(fullPath) : File.GetUnixFileMode(handle);

        // macOS leaves the mark out of a new file, and does not let everyone set it.
        bool isMacFile = OperatingSystem.IsMacOS() && !isFolder && (int)mode == MacUnfinishedFile;
        if (isMacFile || NewModes.IsUnfinished((int)mode, isFolder))
        {
            SetMode(handle, fullPath, (UnixFileMode)NewModes.Finished((int)mode, isFolder, mask, metadata));
        }
        else if (!isFolder && metadata.Attributes is { } attributes && attributes.HasFlag(FileAttributes.ReadOnly))
        {
            SetMode(handle, fullPath, mode & ~WriteBits);
        }
    }

    [UnsupportedOSPlatform("windows")]
    private static void SetMode(SafeFileHandle? handle, string fullPath, UnixFileMode mode)
    {
        if (handle is null)
        {
            File.SetUnixFileMode(fullPath, mode);
        }
        else
        {
            File.SetUnixFileMode(handle, mode);
        }
    }

    private void SetTimes(
        SafeFileHandle? handle,
        string fullPath,
        EntryMetadata metadata,
        ref UnappliedMetadata shortfalls
    )
    {
        SafeFileHandle? own = null;
        if (
            OperatingSystem.IsWindows()
            && handle is null
            && (metadata.CreationTicks ?? metadata.LastWriteTicks) is not null
        )
        {
            Try(
                () => handle = own = held.Retry(() => Windows.OpenForTimes(fullPath)),
                "The times could not be set",
                ref shortfalls
            );
            if (own is null)
            {
                return;
            }
        }

        using (own)
        {
            if ((OperatingSystem.IsWindows() || OperatingSystem.IsMacOS()) && metadata.CreationTicks is { } created)
            {
                Try(() => SetCreated(handle, fullPath, created), "The creation time could not be set", ref shortfalls);
            }

            if (metadata.LastWriteTicks is { } modified)
            {
                long stored = modified;
                Try(
                    () => stored = SetModified(handle, fullPath, modified),
                    "The last-modified time could not be set",
                    ref shortfalls
                );
                StoredTime.Check("last-modified time", modified, stored, ref shortfalls);
            }
        }
    }

    /// <returns>The time that the file system has then.</returns>
    private static long SetModified(SafeFileHandle? handle, string fullPath, long ticks)
    {
        DateTime time = TimeOf(ticks);
        if (handle is null)
        {
            File.SetLastWriteTimeUtc(fullPath, time);
            return File.GetLastWriteTimeUtc(fullPath).Ticks;
        }

        File.SetLastWriteTimeUtc(handle, time);

        // A handle that Windows opened to change times may not read them.
        return OperatingSystem.IsWindows() ? ticks : File.GetLastWriteTimeUtc(handle).Ticks;
    }

    private static DateTime TimeOf(long ticks) =>
        OperatingSystem.IsWindows() && ticks < FirstTicksOfWindows
            ? throw new IOException("Windows has no times before the year 1601")
            : new DateTime(ticks, DateTimeKind.Utc);

    private static void SetCreated(SafeFileHandle? handle, string fullPath, long ticks)
    {
        DateTime time = TimeOf(ticks);
        if (handle is null)
        {
            File.SetCreationTimeUtc(fullPath, time);
        }
        else
        {
            File.SetCreationTimeUtc(handle, time);
        }
    }
}
