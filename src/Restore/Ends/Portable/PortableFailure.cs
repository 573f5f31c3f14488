namespace Restore.Ends.Portable;

/// <summary>Maps the exceptions of System.IO to those of a target: the failure of the restore, or of the entry.</summary>
internal static class PortableFailure
{
    // HRESULTs of Windows. On Unix .NET has the bare error number, which is the same everywhere for these two.
    private const int WriteProtected = unchecked((int)0x80070013);
    private const int HandleDiskFull = unchecked((int)0x80070027);
    private const int DiskFull = unchecked((int)0x80070070);
    private const int WindowsQuota = unchecked((int)0x8007050F);
    private const int MayNotLink = unchecked((int)0x80070522);
    private const int UnixNoSpace = 28;
    private const int UnixReadOnly = 30;
    private const int LinuxQuota = 122;
    private const int MacQuota = 69;
    private const int UnixTooManyInSystem = 23;
    private const int UnixTooManyOpen = 24;

    /// <summary>Whether System.IO throws it for reasons of the file system.</summary>
    public static bool IsExpected(Exception exception) => exception is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException;

    /// <param name="exception">The exception of System.IO.</param>
    /// <param name="place">The path at the target, for people.</param>
    /// <param name="what">What failed: "could not be created".</param>
    public static Exception Of(Exception exception, string place, string what) => exception.HResult switch
    {
        HandleDiskFull or DiskFull or UnixNoSpace => new RestoreException(RestoreErrorCode.TargetFull, "The target is full", place, exception),
        WriteProtected or UnixReadOnly =>
            new RestoreException(RestoreErrorCode.TargetReadOnly, "The file system of the target is read-only", place, exception),
        WindowsQuota => Quota(place, exception),
        LinuxQuota when OperatingSystem.IsLinux() => Quota(place, exception),
        MacQuota when OperatingSystem.IsMacOS() => Quota(place, exception),
        UnixTooManyOpen or UnixTooManyInSystem when !OperatingSystem.IsWindows() =>
            new IOException($"'{place}' {what}: {Reason(exception)}", exception).With(IssueCode.TooManyOpenFiles),
        _ when exception is UnauthorizedAccessException => new UnauthorizedAccessException($"'{place}' {what}: {Reason(exception)}", exception),
        _ => new IOException($"'{place}' {what}: {Reason(exception)}", exception),
    };

    /// <summary>Only the reason, for the end of a sentence.</summary>
    public static string Reason(Exception exception) => exception is UnauthorizedAccessException
        ? "permission denied"
        : exception.HResult == MayNotLink ? "Windows lets only administrators create links, and all users in its developer mode"
        : exception.Reason();

    private static RestoreException Quota(string place, Exception exception) =>
        new(RestoreErrorCode.TargetQuotaExceeded, "The disk quota at the target is used up", place, exception);
}
