using Restore.Ends.Unix;

namespace Restore.Ends.Linux;

internal sealed partial class LinuxTarget
{
    /// <summary>
    /// Whether a failure is that of the whole target: its folder was removed or unmounted, or its device is gone. Else it belongs to one entry.
    /// </summary>
    private bool IsGone(int error) => error switch
    {
        Errno.NoEntry or Errno.NoDevice or Errno.NoSuchDevice or Errno.Stale or Errno.NotConnected => IsElsewhere(),
        Errno.InputOutput => IsElsewhere() || !TakesData(),
        _ => false,
    };

    private RestoreException Gone(int error) =>
        new(RestoreErrorCode.TargetLost, $"The target is gone: {KernelFailure.Reason(error)}", rootPath);

    /// <summary>Whether the path of the target no longer leads to the folder that was opened.</summary>
    private bool IsElsewhere()
    {
        if (folders is not { } opened)
        {
            return false;
        }

        int handle = OpenRoot();
        if (handle < 0)
        {
            // Without a free handle nothing is known.
            return handle is not (-Errno.TooManyOpen or -Errno.TooManyInSystem or -Errno.AccessDenied);
        }

        bool isSame = Kernel.StatusOfHandle(handle, out FileStatus now) >= 0
            && Kernel.StatusOfHandle(opened.RootHandle, out FileStatus then) >= 0
            && (now.Device, now.Number) == (then.Device, then.Number);
        _ = Kernel.Close(handle);
        return !isSame;
    }

    /// <summary>Whether the device takes a new file, or refuses it for a reason of its own.</summary>
    private bool TakesData()
    {
        ReadOnlySpan<byte> name = NativeText.Encode($".restore-{Guid.NewGuid():N}", stackalloc byte[NativeText.NameBytes]);
        int folder = folders!.RootHandle;
        int result = Kernel.CreateFile(folder, name, NewModes.UnfinishedFile);
        if (result < 0)
        {
            return result != -Errno.InputOutput;
        }

        int handle = result;
        result = Kernel.Write(handle, "?"u8, 0);
        result = result < 0 ? result : Kernel.Flush(handle);
        _ = Kernel.Unlink(folder, name);
        _ = Kernel.Close(handle);
        return result != -Errno.InputOutput;
    }
}
