namespace Restore.Reporting;

internal static class ExceptionReason
{
    /// <summary>
    /// The message in the form of this library, without a full stop. Only here foreign messages,
    /// which have one, are adapted.
    /// </summary>
    /// <remarks>
    /// Some messages of .NET only point to the exception within, which has the reason.
    /// </remarks>
    public static string Reason(this Exception failure) =>
        failure.InnerException is { } inner
        && failure.Message.Contains("see inner exception", StringComparison.OrdinalIgnoreCase)
            ? $"{Beginning(failure.Message)} ({inner.Reason()})"
            : WithoutFullStop(failure.Message);

    private static string Beginning(string message) =>
        message[..message.IndexOf("see inner exception", StringComparison.OrdinalIgnoreCase)].TrimEnd(' ', ',', '.');

    /// <summary>Foreign text in the form of a message.</summary>
    public static string WithoutFullStop(string text) => text is [.. string sentence, '.'] ? sentence : text;

    /// <summary>
    /// Runs an action after another failure. The other failure is the one to report.
    /// </summary>
    /// <returns>The failure of the action; null if it did not fail.</returns>
    public static Exception? Attempt(Action action)
    {
        try
        {
            action();
            return null;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or RestoreException)
        {
            return failure;
        }
    }

    public static T With<T>(this T failure, IssueCode code)
        where T : Exception
    {
        failure.Data[nameof(IssueCode)] = code;
        return failure;
    }

    public static IssueCode ToIssueCode(this Exception failure) =>
        failure.Data[nameof(IssueCode)] is IssueCode code ? code
        : failure is AccessRefusedException { IsArchived: true } ? IssueCode.VolumeFrozen
        : failure is AccessRefusedException ? IssueCode.VolumeRefused
        : failure is UnauthorizedAccessException ? IssueCode.AccessDenied
        : IssueCode.None;
}
