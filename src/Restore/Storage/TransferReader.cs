using System.Globalization;
using Restore.Storage.Http;

namespace Restore.Storage;

/// <summary>
/// Reads what a server sends, straight into the destination, with a timeout on progress and a limit on speed. One for all transfers of a store.
/// </summary>
internal sealed class TransferReader(TransferSettings settings, TimeProvider timeProvider)
{
    private const int SkipBufferBytes = 64 * 1024;

    private readonly DownloadThrottle? throttle = settings.BytesPerSecond is { } rate ? new DownloadThrottle(rate, timeProvider) : null;

    /// <summary>Does one step that a server may be slow at, such as answering, within the timeout.</summary>
    /// <exception cref="TransientStoreException">The time is over. Silence is what a store behind a closed firewall answers: nothing is there.</exception>
    public async Task<T> WithTimeoutAsync<T>(Func<CancellationToken, Task<T>> step, string what, CancellationToken cancellationToken)
    {
        using var deadline = new Deadline(settings.ProgressTimeout, timeProvider, cancellationToken);
        try
        {
            return await step(deadline.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            throw deadline.Exceeded(what, unreachable: true);
        }
    }

    /// <summary>
    /// Reads what an answer has from <paramref name="offset"/> of the file on, until <paramref name="destination"/> is full or the file ends.
    /// </summary>
    /// <exception cref="TransientStoreException">The transfer broke off, stood still or ended before the file does; it says how many bytes are
    /// there.</exception>
    public async ValueTask<int> ReadAnswerAsync(
        Stream body, BodyInfo info, string name, long offset, Memory<byte> destination, CancellationToken cancellationToken)
    {
        long? fileBytes = info.FileLength(name, offset);
        bool isThere = info.IsPartial || await SkipAsync(body, offset, name, cancellationToken).ConfigureAwait(false);
        int count = isThere ? await ReadAsync(body, destination, name, cancellationToken).ConfigureAwait(false) : 0;
        return count == destination.Length || fileBytes is not { } length || offset + count >= length
            ? count
            : throw new TransientStoreException($"The store sent {count} bytes of {name} from {offset}, though it has {length} in all") { BytesRead = count };
    }

    /// <summary>Reads until <paramref name="destination"/> is full or the body ends.</summary>
    /// <exception cref="TransientStoreException">The transfer broke off or stood still; it says how many bytes are there.</exception>
    private async ValueTask<int> ReadAsync(Stream body, Memory<byte> destination, string name, CancellationToken cancellationToken)
    {
        int done = 0;
        using var deadline = new Deadline(settings.ProgressTimeout, timeProvider, cancellationToken);
        try
        {
            while (done < destination.Length)
            {
                deadline.Restart();
                int wanted = Math.Min(destination.Length - done, throttle?.ChunkBytes ?? int.MaxValue);
                int count = await body.ReadAsync(destination.Slice(done, wanted), deadline.Token).ConfigureAwait(false);
                if (count == 0)
                {
                    break;
                }

                done += count;
                if (throttle is not null)
                {
                    deadline.Pause();
                    await throttle.PayAsync(count, cancellationToken).ConfigureAwait(false);
                }
            }

            return done;
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            throw deadline.Exceeded(name, done);
        }
        catch (Exception failure) when (failure is IOException or HttpRequestException or System.Net.Sockets.SocketException)
        {
            throw new TransientStoreException($"The transfer of {name} broke off: {failure.Message}", failure) { BytesRead = done };
        }
    }

    /// <summary>Throws away the first bytes of a body.</summary>
    /// <returns>Whether there were that many.</returns>
    private async ValueTask<bool> SkipAsync(Stream body, long count, string name, CancellationToken cancellationToken)
    {
        byte[] waste = new byte[(int)Math.Min(count, SkipBufferBytes)];
        while (count > 0)
        {
            Memory<byte> next = waste.AsMemory(0, (int)Math.Min(count, waste.Length));
            int skipped;
            try
            {
                skipped = await ReadAsync(body, next, name, cancellationToken).ConfigureAwait(false);
            }
            catch (TransientStoreException failure)
            {
                throw new TransientStoreException(failure.Message, failure);
            }

            if (skipped < next.Length)
            {
                return false;
            }

            count -= skipped;
        }

        return true;
    }

    private sealed class Deadline : IDisposable
    {
        private readonly TimeSpan timeout;
        private readonly CancellationTokenSource expiry;
        private readonly CancellationTokenSource linked;

        public Deadline(TimeSpan timeout, TimeProvider timeProvider, CancellationToken cancellationToken)
        {
            this.timeout = timeout;
            expiry = new CancellationTokenSource(timeout, timeProvider);
            linked = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken, expiry.Token);
        }

        public CancellationToken Token => linked.Token;

        public void Restart() => expiry.CancelAfter(timeout);

        public void Pause() => expiry.CancelAfter(Timeout.InfiniteTimeSpan);

        public TransientStoreException Exceeded(string what, int bytesRead = 0, bool unreachable = false) =>
            new(string.Create(CultureInfo.InvariantCulture, $"The store sent nothing for {timeout.TotalSeconds:0.###} s ({what})"))
            {
                BytesRead = bytesRead,
                StoreUnreachable = unreachable,
            };

        public void Dispose()
        {
            linked.Dispose();
            expiry.Dispose();
        }
    }
}
