using Microsoft.Win32.SafeHandles;

namespace Restore.Interop;

/// <summary>
/// Files without a name (O_TMPFILE). They disappear when they are closed, unless they get a name.
/// </summary>
internal static class UnnamedFile
{
    /// <summary>What <see cref="Link"/> returns if something has the name.</summary>
    public const int Exists = 17;

    private const int ReadWrite = 0x2;
    private const int CloseOnExec = 0x80000;
    private const int Unnamed = 0x400000;
    private const int CurrentFolder = -100;
    private const int FollowLinks = 0x400;
    private const string OwnHandles = "/proc/self/fd";

    private static int OnlyFolder => RuntimeInformation.ProcessArchitecture == Architecture.Arm64 ? 0x4000 : 0x10000;

    /// <summary>
    /// Null if the system or the file system has no such files, and for every other failure: a
    /// named file says why.
    /// </summary>
    public static SafeFileHandle? TryCreate(string folder, UnixFileMode mode)
    {
        // Without /proc it could get no name later.
        if (!OperatingSystem.IsLinux() || !Directory.Exists(OwnHandles))
        {
            return null;
        }

        int created = Libc.Open(folder, ReadWrite | CloseOnExec | Unnamed | OnlyFolder, (uint)mode);
        return created < 0 ? null : new SafeFileHandle(created, ownsHandle: true);
    }

    /// <summary>Where a program finds its own file.</summary>
    public static string PathOf(SafeFileHandle file) => $"{OwnHandles}/{file.DangerousGetHandle()}";

    /// <returns>Zero, or the error number.</returns>
    public static int Link(SafeFileHandle file, string path)
    {
        int result = Libc.LinkAt(
            CurrentFolder,
            Encoding.UTF8.GetBytes(PathOf(file) + '\0'),
            CurrentFolder,
            Encoding.UTF8.GetBytes(path + '\0'),
            FollowLinks
        );
        return result < 0 ? Marshal.GetLastPInvokeError() : 0;
    }
}
