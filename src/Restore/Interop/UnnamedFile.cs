using Microsoft.Win32.SafeHandles;

namespace Restore.Interop;

/// <summary>
/// Files without a name (O_TMPFILE). They disappear when they are closed, unless they get a name.
/// </summary>
internal static class UnnamedFile
{
    private const string OwnHandles = "/proc/self/fd";

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

        int created = Kernel.CreateUnnamed(Kernel.CurrentFolder, Native(folder), (int)mode);
        return created < 0 ? null : new SafeFileHandle(created, ownsHandle: true);
    }

    /// <summary>Where a program finds its own file.</summary>
    public static string PathOf(SafeFileHandle file) => $"{OwnHandles}/{file.DangerousGetHandle()}";

    /// <returns>Zero, or the negative error number.</returns>
    public static int Link(SafeFileHandle file, string path) =>
        Kernel.Name((int)file.DangerousGetHandle(), Kernel.CurrentFolder, Native(path));

    // A path here may be longer than the buffers of NativeText.
    private static byte[] Native(string path) => Encoding.UTF8.GetBytes(path + '\0');
}
