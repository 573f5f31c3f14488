namespace Restore.Csp;

/// <summary>
/// Runs a network of the library; an unexpected failure of a process becomes the failure of the
/// whole operation.
/// </summary>
internal static class UnexpectedFailures
{
    public static async Task RunGuardedAsync(this ProcessNetwork network, CancellationToken cancellationToken)
    {
        try
        {
            await network.RunAsync(cancellationToken).ConfigureAwait(false);
        }
        catch (ProcessFailedException failure)
        {
            throw new RestoreException(
                RestoreErrorCode.Unexpected,
                $"The restore was ended by an unexpected failure: {failure.InnerException?.Reason()}",
                failure.Process,
                failure
            );
        }
    }
}
