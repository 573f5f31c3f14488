namespace Restore;

/// <summary>What an exception says of an issue: the reason, and the code where there is advice for it.</summary>
internal static class ExceptionReason
{
    /// <summary>The message without a full stop: those of the library have none, those of the framework and of other libraries end with one.</summary>
    public static string Reason(this Exception failure) => failure.Message is [.. string sentence, '.'] ? sentence : failure.Message;

    /// <summary>Gives an exception the code of the issue that it becomes.</summary>
    public static T With<T>(this T failure, IssueCode code)
        where T : Exception
    {
        failure.Data[nameof(IssueCode)] = code;
        return failure;
    }

    /// <summary>The code of the issue that an exception becomes.</summary>
    public static IssueCode ToIssueCode(this Exception failure) => failure.Data[nameof(IssueCode)] is IssueCode code ? code
        : failure is UnauthorizedAccessException ? IssueCode.AccessDenied
        : IssueCode.None;
}
