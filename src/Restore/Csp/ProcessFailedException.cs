namespace Restore.Csp;

/// <summary>
/// A process ended with an exception that is neither a failure of the restore nor the caller's
/// cancellation: a defect of the program.
/// </summary>
internal sealed class ProcessFailedException(string process, Exception cause)
    : Exception($"The process {process} failed: {cause.Message}", cause)
{
    public string Process { get; } = process;
}
