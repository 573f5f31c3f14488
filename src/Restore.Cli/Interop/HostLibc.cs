using System.Runtime.InteropServices;
using System.Text.Unicode;

namespace Restore.Cli.Interop;

/// <summary>The functions that only the program needs: of mounts, of its output, of its own process.</summary>
internal static unsafe partial class Libc
{
    public const int ReadWrite = 2;
    public const int CloseOnExec = 0x80000;

    /// <summary>Unmounts also while files are open: their next calls, and those that run, fail.</summary>
    public const int ForceAndDetach = 1 | 2;

    public const int ErrorInterrupted = 4;
    public const int ErrorNoDevice = 19;

    /// <summary>Read-only, without set-user-ID programs and device files.</summary>
    public const ulong MountFlags = 1 | 2 | 4;

    private const int LocalSockets = 1;
    private const int StreamSocket = 1;

    [LibraryImport(Library, EntryPoint = "getegid")]
    public static partial uint GetEGid();

    [LibraryImport(Library, EntryPoint = "getcwd")]
    private static partial byte* GetCwd(byte* path, nuint length);

    [LibraryImport(Library, EntryPoint = "mount", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Mount(string source, string folder, string type, ulong flags, string options);

    [LibraryImport(Library, EntryPoint = "umount2", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Unmount(string folder, int flags);

    [LibraryImport(Library, EntryPoint = "poll", SetLastError = true)]
    public static partial int Poll(ref PollDescriptor descriptors, nuint count, int timeout);

    [LibraryImport(Library, EntryPoint = "prctl")]
    public static partial int ProcessControl(int option, nuint value, nuint third, nuint fourth, nuint fifth);

    [LibraryImport(Library, EntryPoint = "setrlimit")]
    public static partial int SetRLimit(int resource, ulong* limits);

    [LibraryImport(Library, EntryPoint = "memfd_create", StringMarshalling = StringMarshalling.Utf8)]
    public static partial int MemFdCreate(string name, uint flags);

    [LibraryImport(Library, EntryPoint = "setsid")]
    public static partial int SetSid();

    /// <summary>Whether the path of the working folder is text. In that of .NET a sign stands for what is not, and another folder may have that name.</summary>
    public static bool IsWorkingFolderText()
    {
        const int LongestPath = 4096;
        byte* path = stackalloc byte[LongestPath];
        return GetCwd(path, LongestPath) == null || Utf8.IsValid(MemoryMarshal.CreateReadOnlySpanFromNullTerminated(path));
    }

    /// <summary>Whether the system sets its clock by others. True if that cannot be known.</summary>
    public static bool IsClockSynchronized()
    {
        const int NotSynchronized = 5, MoreThanTheStructure = 512;
        byte* nothingToChange = stackalloc byte[MoreThanTheStructure];
        new Span<byte>(nothingToChange, MoreThanTheStructure).Clear();
        return AdjustClock(nothingToChange) != NotSynchronized;
    }

    [LibraryImport(Library, EntryPoint = "adjtimex")]
    private static partial int AdjustClock(byte* structure);

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
        const int Rights = 1, SocketLevel = 1, ReceivedCloseOnExec = 0x40000000;
        byte data;
        byte* control = stackalloc byte[32];
        nint* part = stackalloc nint[2];
        (part[0], part[1]) = ((nint)(&data), 1);

        // struct msghdr: name and its length, parts and their number, control data and its length, flags.
        nint* message = stackalloc nint[7];
        new Span<byte>(control, 32).Clear();
        (message[0], message[1], message[2], message[3], message[4], message[5], message[6]) = (0, 0, (nint)part, 1, (nint)control, 32, 0);
        nint received;
        do
        {
            received = ReceiveMessage(socket, message, ReceivedCloseOnExec);
        }
        while (received < 0 && Marshal.GetLastPInvokeError() == ErrorInterrupted);
        bool hasRights = received > 0 && message[5] >= 20 && *(int*)(control + 8) == SocketLevel && *(int*)(control + 12) == Rights;
        return hasRights ? *(int*)(control + 16) : -1;
    }

    [LibraryImport(Library, EntryPoint = "socketpair", SetLastError = true)]
    private static partial int SocketPair(int domain, int type, int protocol, int* pair);

    [LibraryImport(Library, EntryPoint = "recvmsg", SetLastError = true)]
    private static partial nint ReceiveMessage(int socket, nint* message, int flags);

    [StructLayout(LayoutKind.Sequential)]
    public struct PollDescriptor
    {
        public int Descriptor;
        public short Events;
        public short Happened;
    }
}
