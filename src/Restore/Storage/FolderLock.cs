using Microsoft.Win32.SafeHandles;

namespace Restore.Storage;

/// <summary>
/// A lock of the system on a folder of this machine. It takes no room, and ends with the process.
/// Writers share it. A writer without room for the file that says who writes
/// (<see cref="WriterLock"/>) takes it exclusively.
/// </summary>
internal sealed class FolderLock : IDisposable
{
    // LOCK_SH, LOCK_EX, LOCK_UN and LOCK_NB of flock, and its EWOULDBLOCK, which is 11 on Linux
    // and 35 on macOS.
    private const int Shared = 1;
    private const int Exclusive = 2;
    private const int Free = 8;
    private const int WithoutWaiting = 4;
    private const int LockedOnLinux = 11;
    private const int LockedElsewhere = 35;

    private readonly SafeFileHandle handle;

    private FolderLock(SafeFileHandle handle) => this.handle = handle;

    private static int CloseOnExec => OperatingSystem.IsMacOS() ? 0x100_0000 : 0x8_0000;

    /// <summary>Shares the lock of a folder.</summary>
    /// <returns>Null if the folder, or its file system, has none.</returns>
    /// <exception cref="FolderLockedException">Another program has it alone.</exception>
    public static FolderLock? Share(string folder)
    {
        if (OperatingSystem.IsWindows() || OperatingSystem.IsBrowser())
        {
            return null;
        }

        int opened = Libc.Open(folder, CloseOnExec, 0);
        if (opened < 0)
        {
            return null;
        }

        FolderLock taken = new(new SafeFileHandle(opened, ownsHandle: true));
        try
        {
            if (taken.TryTake(Shared))
            {
                return taken;
            }
        }
        catch (FolderLockedException)
        {
            taken.handle.Dispose();
            throw;
        }

        taken.handle.Dispose();
        return null;
    }

    /// <summary>
    /// Takes the lock alone; false if the file system does not let anyone have it alone.
    /// </summary>
    /// <exception cref="FolderLockedException">Another program shares it.</exception>
    public bool TryTakeAlone() => TryTake(Exclusive);

    public void Dispose()
    {
        // A process that is being started has a copy of the handle for a moment, and with it the
        // lock.
        _ = Libc.Flock(handle, Free);
        handle.Dispose();
    }

    private bool TryTake(int kind) =>
        Libc.Flock(handle, kind | WithoutWaiting) == 0
        || (
            Marshal.GetLastPInvokeError() is LockedOnLinux or LockedElsewhere
                ? throw new FolderLockedException()
                : false
        );
}
