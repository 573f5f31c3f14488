namespace Restore.Csp;

/// <summary>Runs a network of the library's own; a failure that no process expected is the failure of the whole run.</summary>
internal static class UnexpectedFailures
{
    /// <summary>Runs the network once, as <see cref="ProcessNetwork"/> does. The cause of an unexpected failure goes along for the log.</summary>
    /// <exception cref="RestoreException">A process failed.</exception>
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
                failure);
        }
    }
}
