using System.Runtime.InteropServices;
using System.Text.Unicode;

namespace Restore.Cli.Interop;

/// <summary>
/// The functions of the system that only the program needs, for its output and for its own process.
/// </summary>
internal static unsafe partial class HostLibc
{
    private const string Library = "libc";

    [LibraryImport(Library, EntryPoint = "getcwd")]
    private static partial byte* GetCwd(byte* path, nuint length);

    [LibraryImport(Library, EntryPoint = "poll", SetLastError = true)]
    public static partial int Poll(ref PollDescriptor descriptors, nuint count, int timeout);

    [LibraryImport(Library, EntryPoint = "prctl")]
    public static partial int ProcessControl(int option, nuint value, nuint third, nuint fourth, nuint fifth);

    [LibraryImport(Library, EntryPoint = "setrlimit")]
    public static partial int SetRLimit(int resource, ulong* limits);

    [LibraryImport(Library, EntryPoint = "memfd_create", StringMarshalling = StringMarshalling.Utf8)]
    public static partial int MemFdCreate(string name, uint flags);

    [LibraryImport(Library, EntryPoint = "write")]
    public static partial nint Write(int descriptor, ReadOnlySpan<byte> bytes, nuint length);

    /// <summary>Ends the process without anything that it would do at its end.</summary>
    [LibraryImport(Library, EntryPoint = "_exit")]
    public static partial void ExitNow(int code);

    [LibraryImport(Library, EntryPoint = "setsid")]
    public static partial int SetSid();

    /// <summary>
    /// Whether the path of the working folder is valid UTF-8. .NET replaces invalid bytes by a
    /// character, and the path that results may be another folder.
    /// </summary>
    public static bool IsWorkingFolderText()
    {
        const int LongestPath = 4096;
        byte* path = stackalloc byte[LongestPath];
        return GetCwd(path, LongestPath) == null
            || Utf8.IsValid(MemoryMarshal.CreateReadOnlySpanFromNullTerminated(path));
    }

    /// <summary>
    /// Whether the system synchronizes its clock. True if that is unknown.
    /// </summary>
    public static bool IsClockSynchronized()
    {
        const int NotSynchronized = 5,
            MoreThanTheStructure = 512;
        byte* nothingToChange = stackalloc byte[MoreThanTheStructure];
        new Span<byte>(nothingToChange, MoreThanTheStructure).Clear();
        return AdjustClock(nothingToChange) != NotSynchronized;
    }

    [LibraryImport(Library, EntryPoint = "adjtimex")]
    private static partial int AdjustClock(byte* structure);

    [StructLayout(LayoutKind.Sequential)]
    public struct PollDescriptor
    {
        public int Descriptor;
        public short Events;
        public short Happened;
    }
}
