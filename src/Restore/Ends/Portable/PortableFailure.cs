namespace Restore.Ends.Portable;

/// <summary>
/// Maps the exceptions of System.IO to the exceptions of a target: the failure of the restore, or
/// the failure of an entry.
/// </summary>
internal static class PortableFailure
{
    // HRESULTs of Windows. On Unix .NET has the bare error number, which is the same everywhere for
    // these.
    private const int WriteProtected = unchecked((int)0x80070013);
    private const int MayNotLink = unchecked((int)0x80070522);
    private const int UnixReadOnly = 30;
    private const int UnixTooManyInSystem = 23;
    private const int UnixTooManyOpen = 24;

    private const string TooLarge = "it is larger than the file system or the user's limit allows";

    /// <summary>Whether System.IO throws it for reasons of the file system.</summary>
    public static bool IsExpected(Exception exception) =>
        exception is IOException or UnauthorizedAccessException or ArgumentException or NotSupportedException;

    /// <param name="exception">The exception of System.IO.</param>
    /// <param name="place">The path at the target, for people.</param>
    /// <param name="what">What failed: "could not be created".</param>
    public static Exception Of(Exception exception, string place, string what) =>
        exception.HResult switch
        {
            _ when WriteFailure.IsFull(exception) => new RestoreException(
                RestoreErrorCode.TargetFull,
                "The target is full",
                place,
                exception
            ),
            WriteProtected or UnixReadOnly => new RestoreException(
                RestoreErrorCode.TargetReadOnly,
                "The file system of the target is read-only",
                place,
                exception
            ),
            _ when WriteFailure.IsOverQuota(exception) => new RestoreException(
                RestoreErrorCode.TargetQuotaExceeded,
                "The disk quota at the target is used up",
                place,
                exception
            ),
            _ when WriteFailure.IsTooLarge(exception) => new IOException(
                $"'{place}' {what}: {TooLarge}",
                exception
            ).With(IssueCode.FileTooLarge),
            UnixTooManyOpen or UnixTooManyInSystem when !OperatingSystem.IsWindows() => new IOException(
                $"'{place}' {what}: {Reason(exception)}",
                exception
            ).With(IssueCode.TooManyOpenFiles),
            MayNotLink => new IOException($"'{place}' {what}: {Reason(exception)}", exception).With(
                IssueCode.LinkNotAllowed
            ),
            _ when exception is UnauthorizedAccessException => new UnauthorizedAccessException(
                $"'{place}' {what}: {Reason(exception)}",
                exception
            ),
            _ => new IOException($"'{place}' {what}: {Reason(exception)}", exception),
        };

    /// <summary>Only the reason, for the end of a sentence.</summary>
    public static string Reason(Exception exception) =>
        exception is UnauthorizedAccessException ? "permission denied"
        : WriteFailure.IsTooLarge(exception) ? TooLarge
        : exception.HResult == MayNotLink ? "it needs the rights of an administrator, or the developer mode of Windows"
        : exception.Reason();
}
