using System.Runtime.InteropServices;
using Restore.Interop;

namespace Restore.Mount;

/// <summary>
/// The folder of a mount, mounted by the system for the root user and by fusermount3 for others.
/// Disposing it unmounts, also while programs use it.
/// </summary>
internal sealed class MountPoint : IDisposable
{
    private const string DeviceFile = "/dev/fuse";
    private const int NotConnected = 107;

    private static readonly TimeSpan LongestWait = TimeSpan.FromSeconds(30);
    private static readonly string[] Helpers = ["fusermount3", "fusermount"];

    private readonly string folder;
    private readonly string? helper;
    private int isMounted = 1;

    private MountPoint(string folder, int device, string? helper)
    {
        this.folder = folder;
        this.helper = helper;
        Device = device;
    }

    /// <summary>The descriptor that the requests come from.</summary>
    public int Device { get; }

    /// <summary>Checks a folder before anything is opened for it.</summary>
    /// <returns>Its full path.</returns>
    /// <exception cref="MountException">It cannot be mounted on.</exception>
    public static string Check(string folder)
    {
        if (!OperatingSystem.IsLinux())
        {
            throw new MountException(
                MountProblem.Unsupported,
                "A mount needs FUSE, which this system does not have",
                OperatingSystem.IsWindows()
                    ? "'restore browse' shows a backup as a page, and by WebDAV as a drive: net use R: ADDRESS"
                    : "'restore browse' shows a backup as a page, and by WebDAV as a volume"
            );
        }

        var path = Path.GetFullPath(folder);
        if (File.Exists(path))
        {
            throw new MountException(MountProblem.Unusable, $"{path} is a file", "Give an empty folder");
        }

        try
        {
            if (Directory.EnumerateFileSystemEntries(path).Any())
            {
                throw new MountException(
                    MountProblem.Unusable,
                    $"The folder {path} is not empty",
                    "Give an empty folder: what is in it would be hidden"
                );
            }
        }
        catch (DirectoryNotFoundException)
        {
            throw new MountException(
                MountProblem.NotFound,
                $"The folder {path} does not exist",
                "Create it and run the command again"
            );
        }
        catch (UnauthorizedAccessException)
        {
            throw new MountException(
                MountProblem.NotAllowed,
                $"You may not list the folder {path}",
                "Give an empty folder of your own"
            );
        }
        catch (IOException failure)
        {
            throw (failure.HResult & 0xFFFF) == NotConnected
                ? new MountException(
                    MountProblem.NotAllowed,
                    $"The folder {path} has a mount whose program has ended",
                    $"Remove it with: umount {path} (or fusermount3 -u)"
                )
                : new MountException(MountProblem.NotAllowed, $"The folder {path} cannot be listed: {failure.Message}");
        }

        return path;
    }

    /// <summary>Mounts.</summary>
    /// <param name="folder">An empty folder, as a full path.</param>
    /// <param name="allowOther">Whether other users see it too, as far as the modes in the backup
    /// let them.</param>
    /// <exception cref="MountException">The system has no FUSE, or the user may not
    /// mount.</exception>
    public static MountPoint Mount(string folder, bool allowOther)
    {
        if (!File.Exists(DeviceFile))
        {
            throw new MountException(
                MountProblem.Unsupported,
                $"This system has no FUSE: {DeviceFile} does not exist",
                "Load it with 'modprobe fuse'; a container needs '--device /dev/fuse'"
            );
        }

        // With other users, the kernel checks the recorded modes. Without, only the user who
        // mounted sees anything.
        var shared = allowOther ? ",allow_other,default_permissions" : "";
        return Libc.GetEUid() == 0 ? MountAsRoot(folder, shared) : MountByHelper(folder, shared);
    }

    /// <summary>Unmounts. The descriptor stays open for what still reads it.</summary>
    public void Dispose()
    {
        if (Interlocked.Exchange(ref isMounted, 0) == 0)
        {
            return;
        }

        if (helper is null)
        {
            _ = MountLibc.Unmount(folder, MountLibc.ForceAndDetach);
        }
        else
        {
            using var process = Start(helper, ["-u", "-z", "--", folder]);
            _ = process.ExitCode(LongestWait);
        }
    }

    /// <summary>
    /// The file system ended by itself. If a user unmounted it, another mount may be on the folder
    /// now.
    /// </summary>
    public void Forget()
    {
        try
        {
            _ = Directory.EnumerateFileSystemEntries(folder).Any();
        }
        catch (IOException failure) when ((failure.HResult & 0xFFFF) == NotConnected)
        {
            return;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            // The folder has another mount now.
        }

        isMounted = 0;
    }

    private static MountPoint MountAsRoot(string folder, string shared)
    {
        var device = Libc.Open(DeviceFile, Libc.ReadWrite | Libc.CloseOnExec, 0);
        if (device < 0)
        {
            throw NotAllowed(
                $"{DeviceFile} cannot be opened: {Marshal.GetPInvokeErrorMessage(Marshal.GetLastPInvokeError())}"
            );
        }

        var options = string.Create(
            CultureInfo.InvariantCulture,
            $"fd={device},rootmode=40000,user_id=0,group_id=0,max_read={FuseServer.MostReadBytes}{shared}"
        );
        if (MountLibc.Mount("restore", folder, "fuse.restore", MountLibc.MountFlags, options) < 0)
        {
            var reason = Marshal.GetPInvokeErrorMessage(Marshal.GetLastPInvokeError());
            _ = Libc.Close(device);
            throw NotAllowed($"The system did not mount on {folder}: {reason}");
        }

        return new MountPoint(folder, device, helper: null);
    }

    /// <summary>
    /// The program may mount for any user. It sends the descriptor through a socket.
    /// </summary>
    private static MountPoint MountByHelper(string folder, string shared)
    {
        var helper =
            Helpers.Select(name => SystemPrograms.Find(name)).FirstOrDefault(path => path is not null)
            ?? throw new MountException(
                MountProblem.Unsupported,
                "Only the root user can mount without the program fusermount3",
                "Install it (Debian and Ubuntu: apt install fuse3)"
            );
        Span<int> sockets = stackalloc int[2];
        if (!MountLibc.TryMakeSockets(sockets))
        {
            throw NotAllowed(
                $"A socket cannot be made: {Marshal.GetPInvokeErrorMessage(Marshal.GetLastPInvokeError())}"
            );
        }

        var options = string.Create(
            CultureInfo.InvariantCulture,
            $"ro,nosuid,nodev,fsname=restore,subtype=restore,max_read={FuseServer.MostReadBytes}{shared}"
        );
        using var process = Start(helper, ["-o", options, "--", folder], sockets[1]);

        // The program has a copy. With this end closed, the wait below ends if the program ends
        // without sending anything.
        _ = Libc.Close(sockets[1]);
        var device = MountLibc.ReceiveDescriptor(sockets[0]);
        _ = Libc.Close(sockets[0]);
        _ = process.ExitCode(LongestWait);
        if (device < 0)
        {
            throw NotAllowed($"{Path.GetFileName(helper)} did not mount on {folder}: {process.LastError()}");
        }

        return new MountPoint(folder, device, helper);
    }

    private static ChildProcess Start(string helper, string[] arguments, int? socket = null)
    {
        Dictionary<string, string> environment = new() { ["PATH"] = "/usr/sbin:/usr/bin:/sbin:/bin" };
        if (socket is { } descriptor)
        {
            environment["_FUSE_COMMFD"] = descriptor.ToString(CultureInfo.InvariantCulture);
        }

        try
        {
            return new ChildProcess(SystemPrograms.StartInfo(helper, arguments, environment));
        }
        catch (RestoreException failure)
        {
            throw NotAllowed(failure.Message);
        }
    }

    private static MountException NotAllowed(string what) =>
        new(
            MountProblem.NotAllowed,
            what,
            "Give an empty folder of your own, on a system that lets you mount; a container needs the right to mount (CAP_SYS_ADMIN)"
        );
}
