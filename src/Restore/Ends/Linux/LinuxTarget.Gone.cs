using Restore.Ends.Unix;

namespace Restore.Ends.Linux;

internal sealed partial class LinuxTarget
{
    /// <summary>
    /// Whether a failure affects the whole target: its folder was removed or unmounted, or its
    /// device is gone. Any other failure belongs to one entry.
    /// </summary>
    private bool IsGone(int error) =>
        error switch
        {
            Errno.NoEntry or Errno.NoDevice or Errno.NoSuchDevice or Errno.Stale or Errno.NotConnected => IsElsewhere(),
            Errno.InputOutput => IsElsewhere() || !TakesData(),
            _ => false,
        };

    private RestoreException Gone(int error) =>
        new(RestoreErrorCode.TargetLost, $"The target is gone: {KernelFailure.Reason(error)}", rootPath);

    /// <summary>
    /// Whether the path of the target no longer leads to the folder that was opened.
    /// </summary>
    private bool IsElsewhere()
    {
        if (folders is not { } opened)
        {
            return false;
        }

        int handle = OpenRoot();
        if (handle < 0)
        {
            // Without a free handle, the answer is unknown.
            return handle is not (-Errno.TooManyOpen or -Errno.TooManyInSystem or -Errno.AccessDenied);
        }

        bool isSame =
            Kernel.StatusOfHandle(handle, out FileStatus now) >= 0
            && Kernel.StatusOfHandle(opened.RootHandle, out FileStatus then) >= 0
            && (now.Device, now.Number) == (then.Device, then.Number);
        _ = Kernel.Close(handle);
        return !isSame;
    }

    // One name for all runs, so that the next one removes what could not be removed.
    private static ReadOnlySpan<byte> ProbeName => ".restore-takes-data\0"u8;

    private static ReadOnlySpan<byte> ProbeContent => "Restore tries whether the device takes data\n"u8;

    /// <summary>
    /// Whether the device takes a new file, or refuses it for a reason of its own.
    /// </summary>
    private bool TakesData()
    {
        RemoveProbe();
        int folder = folders!.RootHandle;
        int handle = Kernel.CreateFile(folder, ProbeName, NewModes.UnfinishedFile);
        if (handle < 0)
        {
            return handle != -Errno.InputOutput;
        }

        // The file needs no name to take data, so the name is removed first: it does not stay if
        // something fails later.
        _ = Kernel.Unlink(folder, ProbeName);
        int result = Kernel.Write(handle, ProbeContent, 0);
        result = result < 0 ? result : Kernel.Flush(handle);
        _ = Kernel.Close(handle);
        return result != -Errno.InputOutput;
    }

    /// <summary>
    /// Removes the file by which a run, maybe an earlier one, tried the device. It has the content
    /// of such a file or, if it got none, the mode; any other file of the name is the user's.
    /// </summary>
    private void RemoveProbe()
    {
        if (
            folders is { } opened
            && Kernel.Status(opened.RootHandle, ProbeName, out FileStatus status) >= 0
            && status is { IsFile: true, LinkCount: 1 }
            && (
                status.SizeBytes == 0
                    ? NewModes.IsUnfinished(status.Mode, isFolder: false)
                    : HasProbeContent(opened.RootHandle, status.SizeBytes)
            )
        )
        {
            _ = Kernel.Unlink(opened.RootHandle, ProbeName);
        }
    }

    private static bool HasProbeContent(int folder, long sizeBytes)
    {
        int handle = sizeBytes == ProbeContent.Length ? Kernel.OpenFile(folder, ProbeName, forWriting: false) : -1;
        if (handle < 0)
        {
            return false;
        }

        Span<byte> content = stackalloc byte[ProbeContent.Length];
        int length = Kernel.Read(handle, content, 0);
        _ = Kernel.Close(handle);
        return length == content.Length && content.SequenceEqual(ProbeContent);
    }
}
