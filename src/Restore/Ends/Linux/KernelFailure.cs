using Restore.Format.Selection;

namespace Restore.Ends.Linux;

/// <summary>
/// Maps the kernel's error numbers to exceptions: the failure of the restore, or of the entry.
/// </summary>
internal static class KernelFailure
{
    private const string NameReason =
        "its name has a character that FAT, exFAT and NTFS do not allow, or its folder is not there any more";

    /// <param name="what">What failed: "could not be created".</param>
    public static Exception Of(int error, string place, string what) =>
        error switch
        {
            Errno.NoSpace => new RestoreException(RestoreErrorCode.TargetFull, "The target is full", place),
            Errno.QuotaExceeded => new RestoreException(
                RestoreErrorCode.TargetQuotaExceeded,
                "The disk quota at the target is used up",
                place
            ),
            Errno.ReadOnly => new RestoreException(
                RestoreErrorCode.TargetReadOnly,
                "The file system of the target is read-only",
                place
            ),
            Errno.AccessDenied or Errno.NotPermitted => new UnauthorizedAccessException(Sentence(error, place, what)),
            Errno.TooManyOpen or Errno.TooManyInSystem => new IOException(Sentence(error, place, what)).With(
                IssueCode.TooManyOpenFiles
            ),
            Errno.TooBig => new IOException(Sentence(error, place, what)).With(IssueCode.FileTooLarge),
            _ => new IOException(Sentence(error, place, what)),
        };

    /// <summary>Only the reason, for the end of a sentence.</summary>
    public static string Reason(int error) =>
        error switch
        {
            Errno.NoEntry => "it is not there, or no longer",
            Errno.NotFolder => "a file or a link is where a folder should be, and nothing is restored through a link",
            Errno.Loop => "a link is in the way, and nothing is restored through a link",
            Errno.IsFolder => "a folder is in the way",
            Errno.Exists => "something of that name is there already",
            Errno.NameTooLong => "the name is longer than the file system allows",
            Errno.TooBig => "it is larger than the file system or the user's limit allows",
            Errno.TooManyOpen or Errno.TooManyInSystem => "too many files are open",
            Errno.InputOutput => "the device reports an error",
            Errno.AccessDenied => "permission denied",
            Errno.NotPermitted => "the user or the file system may not do that",
            Errno.NotSupported or Errno.NotImplemented => "the file system does not support it",
            _ => $"{Marshal.GetPInvokeErrorMessage(error)} (error {error})",
        };

    private static string Sentence(int error, string place, string what) =>
        $"'{place}' {what}: {(IsOfName(error, place, what) ? NameReason : Reason(error))}";

    /// <summary>
    /// Whether the name is the likely reason. Drivers of FAT and NTFS have no error number for it:
    /// the kernel's say "invalid argument", others that the entry is not there.
    /// </summary>
    private static bool IsOfName(int error, string place, string what) =>
        error is Errno.NoEntry or Errno.Invalid
        && what.StartsWith("could not be created", StringComparison.Ordinal)
        && place.AsSpan(place.LastIndexOf('/') + 1).ContainsAny(WindowsPath.ForbiddenInName);
}
