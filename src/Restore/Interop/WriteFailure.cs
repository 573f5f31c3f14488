namespace Restore.Interop;

/// <summary>
/// Why a file takes no more bytes, by the exception of System.IO: on Windows it has an HRESULT,
/// elsewhere the bare error number.
/// </summary>
internal static class WriteFailure
{
    private const int HandleDiskFull = unchecked((int)0x80070027);
    private const int DiskFull = unchecked((int)0x80070070);
    private const int WindowsTooLarge = unchecked((int)0x800700DF);
    private const int WindowsQuota = unchecked((int)0x8007050F);
    private const int UnixNoSpace = 28;
    private const int UnixTooLarge = 27;
    private const int LinuxQuota = 122;
    private const int MacQuota = 69;

    public static bool IsFull(Exception failure) => failure.HResult is HandleDiskFull or DiskFull or UnixNoSpace;

    /// <summary>
    /// Whether the file system does not support a file of that length (FAT: 4 GiB), or a limit of
    /// the process (<c>ulimit -f</c>) forbids it.
    /// </summary>
    public static bool IsTooLarge(Exception failure) =>
        failure is ArgumentOutOfRangeException || failure.HResult is WindowsTooLarge or UnixTooLarge;

    /// <summary>
    /// For a file that is too large, .NET throws an exception about an argument, which no caller of
    /// a stream expects.
    /// </summary>
    public static IOException TooLarge(ArgumentOutOfRangeException failure) =>
        new("It is larger than its file system or a limit allows", failure)
        {
            HResult = OperatingSystem.IsWindows() ? WindowsTooLarge : UnixTooLarge,
        };

    public static bool IsOverQuota(Exception failure) =>
        failure.HResult is WindowsQuota
        || (failure.HResult == LinuxQuota && OperatingSystem.IsLinux())
        || (failure.HResult == MacQuota && OperatingSystem.IsMacOS());

    /// <summary>The code of an output file that cannot be written.</summary>
    public static string CodeOfOutput(Exception failure) =>
        IsFull(failure) ? RestoreErrorCode.OutputFull : OfFile(failure) ?? RestoreErrorCode.OutputNotWritable;

    /// <summary>
    /// The code of a file that a limit stops, wherever it is; null for any other failure.
    /// </summary>
    public static string? OfFile(Exception failure) =>
        IsTooLarge(failure) ? RestoreErrorCode.FileTooLarge
        : IsOverQuota(failure) ? RestoreErrorCode.QuotaExceeded
        : null;
}
