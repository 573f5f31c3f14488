namespace Restore.Browse.Calls;

internal sealed class CallException(int status, string message) : Exception(message)
{
    public int Status => status;

    /// <summary>
    /// Whether a failure has a message for the user; any other is a defect of the program.
    /// </summary>
    public static bool IsExpected(Exception failure) =>
        failure
            is CallException
                or RestoreException
                or IOException
                or OperationCanceledException
                or UnauthorizedAccessException;
}
