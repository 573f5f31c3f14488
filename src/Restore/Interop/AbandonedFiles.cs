using Microsoft.Win32.SafeHandles;

namespace Restore.Interop;

/// <summary>
/// Temporary files of programs that were killed. A running program has a lock on its file, and the
/// lock ends with the program. A lock may be invisible from another machine, so a file of another
/// machine must also be old.
/// </summary>
internal static class AbandonedFiles
{
    private static readonly SearchValues<char> HexDigits = SearchValues.Create("0123456789abcdef");

    private const string Start = ".restore-";
    private const string End = ".tmp";
    private const int Digits = 32;
    private const int DigitsOfMachine = 8;

    private const int Shared = 1;
    private const int Exclusive = 2;
    private const int WithoutWaiting = 4;
    private const int LockedOnLinux = 11;
    private const int LockedElsewhere = 35;

    private static readonly TimeSpan OldEnough = TimeSpan.FromHours(1);

    private static string Machine =>
        Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(Environment.MachineName)))[..DigitsOfMachine];

    /// <summary>
    /// A name that <see cref="Remove"/> recognizes and that no other program uses.
    /// </summary>
    public static string NewName() => $"{Start}{Machine}{Guid.NewGuid():N}"[..(Start.Length + Digits)] + End;

    /// <summary>Locks a file for as long as it is open.</summary>
    public static void Hold(SafeFileHandle file)
    {
        if (!OperatingSystem.IsWindows())
        {
            // A failure says that the file system has no locks, or that the file is being removed,
            // which the caller finds out.
            _ = Libc.Flock(file, Shared | WithoutWaiting);
        }
    }

    /// <summary>
    /// Whether a new file could not be opened because another program looks whether it is
    /// abandoned.
    /// </summary>
    public static bool IsLocked(IOException failure) =>
        !OperatingSystem.IsWindows() && failure.HResult is LockedOnLinux or LockedElsewhere;

    /// <summary>
    /// Removes the abandoned files of a folder. A failure costs room and nothing else.
    /// </summary>
    public static void Remove(string folder)
    {
        try
        {
            foreach (string file in Directory.EnumerateFiles(folder, $"{Start}*{End}").Where(IsOurs))
            {
                TryRemove(file);
            }
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            // Whether the folder can be used shows when the new file is made.
        }
    }

    /// <summary>Earlier versions put the name of the database before the digits.</summary>
    private static bool IsOurs(string file)
    {
        ReadOnlySpan<char> name = Path.GetFileName(file.AsSpan());
        return name.Length >= Start.Length + Digits + End.Length
            && name.StartsWith(Start, StringComparison.Ordinal)
            && name.EndsWith(End, StringComparison.Ordinal)
            && name[^(Digits + End.Length)..^End.Length].IndexOfAnyExcept(HexDigits) < 0;
    }

    private static bool IsOfThisMachine(string file) =>
        Path.GetFileName(file.AsSpan()) is { Length: var length } name
        && length == Start.Length + Digits + End.Length
        && name[Start.Length..].StartsWith(Machine, StringComparison.Ordinal);

    private static void TryRemove(string file)
    {
        try
        {
            if (File.GetAttributes(file).HasFlag(FileAttributes.ReparsePoint))
            {
                return;
            }

            using SafeFileHandle opened = File.OpenHandle(
                file,
                FileMode.Open,
                FileAccess.ReadWrite,
                OperatingSystem.IsWindows() ? FileShare.Delete : FileShare.ReadWrite
            );
            int result = OperatingSystem.IsWindows() ? 0 : Libc.Flock(opened, Exclusive | WithoutWaiting);
            bool isHeld = result < 0 && Marshal.GetLastPInvokeError() is LockedOnLinux or LockedElsewhere;

            // Some file systems lock nothing; and the lock of another machine may not be seen here.
            bool isOld = TimeProvider.System.GetUtcNow() - File.GetLastWriteTimeUtc(opened) > OldEnough;
            if (!isHeld && (isOld || (result == 0 && IsOfThisMachine(file))))
            {
                File.Delete(file);
            }
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            // It is in use, or belongs to another user.
        }
    }
}
