using Polly;

namespace Restore.Storage;

/// <summary>
/// A sink that repeats what failed for a transient reason, and counts. After the last try, and
/// immediately after any other failure, the run ends (<see cref="RestoreException"/>): a backup
/// without this volume cannot be restored.
/// </summary>
internal sealed class RetryingSink : IAsyncDisposable
{
    private readonly IVolumeSink inner;
    private readonly int tries;
    private readonly ResiliencePipeline pipeline;
    private volatile bool hasAnswered;
    private long bytesPut;

    public RetryingSink(IVolumeSink inner, TransferSettings settings, TimeProvider timeProvider, ILogger logger)
    {
        this.inner = inner;

        // What a local disk refuses once, it refuses again.
        TransferSettings own = inner.IsLocal ? settings with { Retries = 0 } : settings;
        tries = own.Retries + 1;
        pipeline = StoreRetries.Pipeline(own, timeProvider, logger, () => hasAnswered, inner.DisplayName);
        CanDelete = inner.CanDelete && !settings.IsImmutable;
    }

    public string DisplayName => inner.DisplayName;

    public bool IsLocal => inner.IsLocal;

    /// <summary>
    /// Whether files can be deleted: not if the store only takes new ones, or the user said so
    /// (<c>immutable</c>).
    /// </summary>
    public bool CanDelete { get; }

    /// <summary>Bytes of the files that were put, without failed tries.</summary>
    public long BytesPut => Interlocked.Read(ref bytesPut);

    /// <summary>
    /// Puts a file. Each try has its own name, as in Duplicati, because it is unknown what the
    /// store has under the name of a failed try. Returns the name of the successful try.
    /// </summary>
    public async Task<string> PutAsync(
        Func<int, string> nameOfTry,
        ReadOnlyMemory<byte> content,
        CancellationToken cancellationToken
    )
    {
        int trial = 0;
        string name = "";
        List<string> left = [];
        await GuardedAsync(
                async token =>
                {
                    name = Plain(nameOfTry(trial++));
                    try
                    {
                        await inner.PutAsync(name, content, token).ConfigureAwait(false);
                    }
                    // The store may have all, a part or nothing of the file. The next try has
                    // another name, so what is left would stay forever.
                    catch (TransientStoreException) when (CanDelete)
                    {
                        if (!await TryDeleteAsync(name, token).ConfigureAwait(false))
                        {
                            left.Add(name);
                        }

                        throw;
                    }
                },
                () => $"{DisplayName}: {name}",
                cancellationToken
            )
            .ConfigureAwait(false);
        Interlocked.Add(ref bytesPut, content.Length);
        foreach (string half in left)
        {
            // The store answers again. An interruption now must not hide that the file is there.
            try
            {
                await TryDeleteAsync(half, cancellationToken).ConfigureAwait(false);
            }
            catch (OperationCanceledException)
            {
                break;
            }
        }

        return name;
    }

    /// <summary>Deletes a file; one that is not there counts as deleted.</summary>
    public Task DeleteAsync(string name, CancellationToken cancellationToken)
    {
        RequireDeletable();
        return GuardedAsync(
            token => inner.DeleteAsync(Plain(name), token),
            () => $"{DisplayName}: {name}",
            cancellationToken
        );
    }

    public void RequireDeletable()
    {
        if (!CanDelete)
        {
            throw new RestoreException(
                RestoreErrorCode.StoreAppendOnly,
                "Nothing can be deleted there, because it only takes new files",
                DisplayName
            );
        }
    }

    /// <summary>Lists the files; a folder that does not exist is empty.</summary>
    public async Task<List<StoredFile>> ListAsync(CancellationToken cancellationToken)
    {
        List<StoredFile> files = [];
        await GuardedAsync(
                async token =>
                {
                    // A listing that broke begins again.
                    files.Clear();
                    await foreach (StoredFile file in inner.ListAsync(token).ConfigureAwait(false))
                    {
                        files.Add(file);
                    }
                },
                () => DisplayName,
                cancellationToken
            )
            .ConfigureAwait(false);
        return files;
    }

    /// <summary>Shares the lock of the system on the folder; null if the store has none.</summary>
    public FolderLock? ShareLock() => (inner as ILockableSink)?.ShareLock();

    public ValueTask DisposeAsync() => inner.DisposeAsync();

    /// <summary>
    /// Names are made by this library or come from a listing; no name leads out of the folder.
    /// </summary>
    private static string Plain(string name) =>
        RemoteNames.IsPlain(name)
            ? name
            : throw new ArgumentException($"{name} is not the name of a file", nameof(name));

    private async Task GuardedAsync(
        Func<CancellationToken, ValueTask> request,
        Func<string> where,
        CancellationToken cancellationToken
    )
    {
        try
        {
            await pipeline
                .ExecuteAsync(static (request, token) => request(token), request, cancellationToken)
                .ConfigureAwait(false);
            hasAnswered = true;
        }
        catch (TransientStoreException failure)
        {
            string code = failure.StoreUnreachable
                ? RestoreErrorCode.StoreUnreachable
                : RestoreErrorCode.DestinationNotWritable;
            string often = tries == 1 ? "" : $" in {tries} tries";
            throw new RestoreException(
                code,
                $"The backup cannot be written{often}: {failure.Reason()}",
                where(),
                failure
            );
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            string code = WriteFailure.OfFile(failure) ?? RestoreErrorCode.DestinationNotWritable;
            throw new RestoreException(code, $"The backup cannot be written: {failure.Reason()}", where(), failure);
        }
    }

    /// <summary>
    /// Removes what a failed try may have left. Where that fails too, a volume without an index is
    /// left, which no version uses.
    /// </summary>
    private async ValueTask<bool> TryDeleteAsync(string name, CancellationToken cancellationToken)
    {
        try
        {
            await inner.DeleteAsync(name, cancellationToken).ConfigureAwait(false);
            return true;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            // The failure of the upload is the one to report.
            return false;
        }
    }
}
