using System.Runtime.InteropServices;

namespace Restore.Mount;

/// <summary>The functions of the system that only a mount needs.</summary>
internal static unsafe partial class MountLibc
{
    /// <summary>
    /// Unmounts also while files are open: their next calls, and those that run, fail.
    /// </summary>
    public const int ForceAndDetach = 1 | 2;

    public const int ErrorInterrupted = 4;
    public const int ErrorNoDevice = 19;

    /// <summary>Read-only, without set-user-ID programs and device files.</summary>
    public const ulong MountFlags = 1 | 2 | 4;

    private const string Library = "libc";
    private const int LocalSockets = 1;
    private const int StreamSocket = 1;

    [LibraryImport(Library, EntryPoint = "getegid")]
    public static partial uint GetEGid();

    [LibraryImport(Library, EntryPoint = "mount", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Mount(string source, string folder, string type, ulong flags, string options);

    [LibraryImport(Library, EntryPoint = "umount2", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Unmount(string folder, int flags);

    public static bool TryMakeSockets(Span<int> two)
    {
        fixed (int* pair = two)
        {
            return SocketPair(LocalSockets, StreamSocket, 0, pair) == 0;
        }
    }

    /// <summary>Receives the descriptor that another process sends through a socket.</summary>
    public static int ReceiveDescriptor(int socket)
    {
        const int Rights = 1,
            SocketLevel = 1,
            ReceivedCloseOnExec = 0x40000000;
        byte data;
        byte* control = stackalloc byte[32];
        nint* part = stackalloc nint[2];
        (part[0], part[1]) = ((nint)(&data), 1);

        // struct msghdr: name and its length, parts and their number, control data and its length,
        // flags.
        nint* message = stackalloc nint[7];
        new Span<byte>(control, 32).Clear();
        (message[0], message[1], message[2], message[3], message[4], message[5], message[6]) = (
            0,
            0,
            (nint)part,
            1,
            (nint)control,
            32,
            0
        );
        nint received;
        do
        {
            received = ReceiveMessage(socket, message, ReceivedCloseOnExec);
        } while (received < 0 && Marshal.GetLastPInvokeError() == ErrorInterrupted);

        // struct cmsghdr: its length (20 with one descriptor), level and type, then the descriptor.
        bool hasRights =
            received > 0 && message[5] >= 20 && *(int*)(control + 8) == SocketLevel && *(int*)(control + 12) == Rights;
        return hasRights ? *(int*)(control + 16) : -1;
    }

    [LibraryImport(Library, EntryPoint = "socketpair", SetLastError = true)]
    private static partial int SocketPair(int domain, int type, int protocol, int* pair);

    [LibraryImport(Library, EntryPoint = "recvmsg", SetLastError = true)]
    private static partial nint ReceiveMessage(int socket, nint* message, int flags);
}
