namespace Restore.Stores;

/// <summary>
/// Reads a server's answers directly into the destination and sends files, with a timeout on
/// progress (<c>read-write-timeout</c>) and limits of the rate (<c>throttle-download</c>,
/// <c>throttle-upload</c>). One for all transfers of a store, safe for concurrent use.
/// </summary>
public sealed class StoreTransfers
{
    private const int SkipBufferBytes = 64 * 1024;

    /// <summary>
    /// How long a connection may take to open: three lost packets of its handshake. Firewalls that
    /// drop packets never answer.
    /// </summary>
    internal static readonly TimeSpan ConnectTimeout = TimeSpan.FromSeconds(10);

    private readonly TransferSettings settings;
    private readonly TimeProvider timeProvider;
    private readonly TransferThrottle? throttle;
    private readonly TransferThrottle? uploadThrottle;

    internal StoreTransfers(TransferSettings settings, TimeProvider timeProvider)
    {
        (this.settings, this.timeProvider) = (settings, timeProvider);
        throttle = settings.Rates is { } rates ? new TransferThrottle(rates, timeProvider) : null;
        uploadThrottle = settings.UploadRates is { } uploads ? new TransferThrottle(uploads, timeProvider) : null;
    }

    /// <summary>
    /// Returns the callback for the bytes of the current read as they arrive; null if no callback
    /// is needed.
    /// </summary>
    internal Func<Action<int>?> Arriving { get; set; } = static () => null;

    /// <summary>
    /// How long a transfer may make no progress; <see cref="Timeout.InfiniteTimeSpan"/> for no
    /// limit.
    /// </summary>
    public TimeSpan ProgressTimeout => settings.ProgressTimeout;

    /// <summary>
    /// Runs one step that may be slow, such as waiting for an answer, within the timeout.
    /// </summary>
    /// <param name="step">The step; its token is canceled at the timeout.</param>
    /// <param name="what">A name for messages: the name of a file, or a word such as
    /// "listing".</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="TransientStoreException">The step timed out. A closed firewall never
    /// answers, so this counts as an absent store.</exception>
    public async Task<T> WithTimeoutAsync<T>(
        Func<CancellationToken, Task<T>> step,
        string what,
        CancellationToken cancellationToken
    )
    {
        ArgumentNullException.ThrowIfNull(step);
        using var deadline = new TransferDeadline(settings.ProgressTimeout, timeProvider, cancellationToken);
        try
        {
            return await step(deadline.Token).ConfigureAwait(false);
        }
        catch (Exception failure) when (TransferDeadline.IsTimeout(failure, cancellationToken))
        {
            throw deadline.Exceeded(failure, what, unreachable: true);
        }
    }

    /// <summary>
    /// Reads the body of an answer from <paramref name="offset"/> of the file on, until
    /// <paramref name="destination"/> is full or the file ends.
    /// </summary>
    /// <param name="body">The body; the caller disposes it.</param>
    /// <param name="answer">What the answer says about the body. If the server ignored the range,
    /// the bytes before <paramref name="offset"/> are skipped.</param>
    /// <param name="name">The file, for messages.</param>
    /// <param name="offset">Where the read starts, in bytes from the start of the file.</param>
    /// <param name="destination">Receives the bytes.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The number of bytes read.</returns>
    /// <exception cref="TransientStoreException">The transfer broke, timed out or ended early; the
    /// exception has the number of bytes read.</exception>
    public async ValueTask<int> ReadBodyAsync(
        Stream body,
        RangeAnswer answer,
        string name,
        long offset,
        Memory<byte> destination,
        CancellationToken cancellationToken
    )
    {
        ArgumentNullException.ThrowIfNull(body);
        long? fileBytes = answer.FileLength(name, offset);
        bool isThere = answer.IsPartial || await SkipAsync(body, offset, name, cancellationToken).ConfigureAwait(false);
        int count = isThere ? await ReadAsync(body, destination, name, cancellationToken).ConfigureAwait(false) : 0;
        return count == destination.Length || fileBytes is not { } length || offset + count >= length
            ? count
            : throw new TransientStoreException(
                $"The store sent {count} bytes of {name} from {offset}, though it has {length} in all"
            )
            {
                BytesRead = count,
            };
    }

    /// <summary>Sends a file from memory, and waits for the answer.</summary>
    /// <param name="content">The file.</param>
    /// <param name="name">Its name, for messages.</param>
    /// <param name="send">Sends a request with this stream as its body, which can be read several
    /// times; its token is canceled at the timeout.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>What <paramref name="send"/> returns.</returns>
    /// <exception cref="TransientStoreException">The server took nothing for too long, or did not
    /// answer.</exception>
    public async Task<T> SendBodyAsync<T>(
        ReadOnlyMemory<byte> content,
        string name,
        Func<Stream, CancellationToken, Task<T>> send,
        CancellationToken cancellationToken
    )
    {
        ArgumentNullException.ThrowIfNull(send);
        using var deadline = new TransferDeadline(settings.ProgressTimeout, timeProvider, cancellationToken);
        var body = new UploadBody(content, deadline, uploadThrottle);
        await using (body.ConfigureAwait(false))
        {
            try
            {
                return await send(body, deadline.Token).ConfigureAwait(false);
            }
            catch (Exception failure) when (TransferDeadline.IsTimeout(failure, cancellationToken))
            {
                throw deadline.Exceeded(failure, name, did: "took");
            }
        }
    }

    /// <summary>Reads until <paramref name="destination"/> is full or the body ends.</summary>
    /// <exception cref="TransientStoreException">The transfer broke or timed out; the exception has
    /// the number of bytes read.</exception>
    private async ValueTask<int> ReadAsync(
        Stream body,
        Memory<byte> destination,
        string name,
        CancellationToken cancellationToken
    )
    {
        int done = 0;
        Action<int>? arriving = Arriving();
        using var deadline = new TransferDeadline(settings.ProgressTimeout, timeProvider, cancellationToken);
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
                arriving?.Invoke(count);
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
        catch (Exception failure) when (failure is not (OperationCanceledException or RestoreException))
        {
            // Each library has its own exceptions for a broken connection.
            throw new TransientStoreException($"The transfer of {name} broke off: {failure.Reason()}", failure)
            {
                BytesRead = done,
            };
        }
    }

    /// <summary>Skips the first bytes of a body.</summary>
    /// <returns>Whether the body had that many.</returns>
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
                throw new TransientStoreException(failure.Reason(), failure);
            }

            if (skipped < next.Length)
            {
                return false;
            }

            count -= skipped;
        }

        return true;
    }
}
