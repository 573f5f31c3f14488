namespace Restore.Reading;

/// <summary>
/// The transfers of one copy of VolumeDownloader. Each takes a place at the gate, if there is one,
/// and returns it as soon as it ends.
/// </summary>
/// <param name="gate">Limits concurrent transfers; null for no limit.</param>
/// <param name="pause">Holds back transfers; null if nothing does.</param>
/// <param name="input">The input of that copy: the profile counts waiting for a turn as waiting to
/// read.</param>
internal sealed class Transfers(DownloadGate? gate, RestorePause? pause, IReadChannelEnd<VolumeRequested> input)
{
    public ValueTask WaitAsync(ValueTask turn) => input.AwaitTurnAsync(turn);

    public async ValueTask<T> RunAsync<T>(
        Func<CancellationToken, ValueTask<T>> transfer,
        Func<T, long> bytesOf,
        CancellationToken cancellationToken
    )
    {
        await input.AwaitTurnAsync(EnterAsync(cancellationToken)).ConfigureAwait(false);
        return await RunEnteredAsync(transfer, bytesOf, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Waits for a place, and does not count the wait in the profile: the transfer runs
    /// concurrently with others of the same copy.
    /// </summary>
    public async ValueTask EnterAsync(CancellationToken cancellationToken)
    {
        if (gate is not null)
        {
            await gate.EnterAsync(cancellationToken).ConfigureAwait(false);
        }

        // A pause may begin while a transfer waits for its place, so the pause comes last.
        try
        {
            await WaitWhilePausedAsync(cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            gate?.Leave(0);
            throw;
        }
    }

    public ValueTask WaitWhilePausedAsync(CancellationToken cancellationToken) =>
        pause?.WaitAsync(cancellationToken) ?? ValueTask.CompletedTask;

    /// <summary>Transfers in a place that was taken, and returns the place.</summary>
    public async ValueTask<T> RunEnteredAsync<T>(
        Func<CancellationToken, ValueTask<T>> transfer,
        Func<T, long> bytesOf,
        CancellationToken cancellationToken
    )
    {
        long bytes = 0;
        try
        {
            T result = await transfer(cancellationToken).ConfigureAwait(false);
            bytes = bytesOf(result);
            return result;
        }
        finally
        {
            gate?.Leave(bytes);
        }
    }
}
