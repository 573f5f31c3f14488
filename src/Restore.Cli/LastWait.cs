namespace Restore.Cli;

/// <summary>Waits for a command, but not for ever once it was told to stop at once: a read of a dead disk or share may never return.</summary>
internal static class LastWait
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(5);

    /// <exception cref="OperationCanceledException">The command did not end in time after the cancellation. It is left behind; the process ends.</exception>
    public static async Task<int> ForAsync(Task<int> command, TimeProvider clock, CancellationToken cancellationToken)
    {
        try
        {
            return await command.WaitAsync(cancellationToken);
        }
        catch (OperationCanceledException) when (!command.IsCompleted)
        {
            try
            {
                return await command.WaitAsync(Patience, clock, CancellationToken.None);
            }
            catch (TimeoutException)
            {
                throw new OperationCanceledException("The command did not end in time", cancellationToken);
            }
        }
    }
}
