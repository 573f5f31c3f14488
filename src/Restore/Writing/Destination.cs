namespace Restore.Writing;

/// <summary>The store that receives the volumes, and what it has already.</summary>
internal sealed class Destination : IAsyncDisposable
{
    private readonly MeteredStore store;
    private readonly bool isDryRun;
    private readonly Lock gate = new();
    private readonly List<StoredFile> written = [];
    private long bytesWritten;

    private Destination(MeteredStore store, RetryingSink sink, bool isDryRun)
    {
        (this.store, Sink, this.isDryRun) = (store, sink, isDryRun);
    }

    public RetryingSink Sink { get; }

    public IVolumeStore Store => store;

    public bool IsLocal => store.IsLocal;

    public string DisplayName => store.DisplayName;

    /// <summary>
    /// Bytes written so far; in a dry run, the bytes that would have been written.
    /// </summary>
    public long BytesWritten => Interlocked.Read(ref bytesWritten);

    /// <exception cref="RestoreException">The location or an option cannot be used, or nothing can
    /// be written there.</exception>
    public static Destination Open(BackupWriterOptions options)
    {
        ILogger logger = options.LoggerFactory.CreateLogger("Restore");
        MeteredStore store = StoreFactory.Open(
            options.Destination,
            options.Stores,
            options.StoreOptions,
            options.TimeProvider,
            logger
        );
        RetryingSink sink = StoreFactory.OpenSink(
            options.Destination,
            options.Stores,
            options.StoreOptions,
            options.TimeProvider,
            logger
        );
        return new Destination(store, sink, options.DryRun);
    }

    /// <exception cref="RestoreException">The volume cannot be written.</exception>
    public async Task<string> PutAsync(
        Func<int, string> nameOfTry,
        ReadOnlyMemory<byte> content,
        CancellationToken cancellationToken
    )
    {
        string name = isDryRun
            ? nameOfTry(0)
            : await Sink.PutAsync(nameOfTry, content, cancellationToken).ConfigureAwait(false);
        Interlocked.Add(ref bytesWritten, content.Length);
        lock (gate)
        {
            written.Add(new StoredFile(name, content.Length));
        }

        return name;
    }

    /// <summary>
    /// Compares the new volumes, and the existing volumes that are used, with what the store lists,
    /// before a file list refers to them.
    /// </summary>
    /// <returns>The names in the store; none in a dry run.</returns>
    /// <exception cref="RestoreException">A volume is missing or has another size, or somebody else
    /// removed the lock.</exception>
    public async Task<IReadOnlyCollection<string>> VerifyAsync(
        IEnumerable<StoredFile> used,
        WriterLock? held,
        CancellationToken cancellationToken
    )
    {
        if (isDryRun)
        {
            return [];
        }

        Dictionary<string, long> there = [];
        foreach (StoredFile file in await Sink.ListAsync(cancellationToken).ConfigureAwait(false))
        {
            there[file.Name] = file.SizeBytes;
        }

        // Another writer that breaks the lock removes its file. Its compact may have deleted
        // volumes that this run took for stored.
        if (held?.Name is { } own && !there.ContainsKey(own))
        {
            throw new RestoreException(
                RestoreErrorCode.BackupLocked,
                "Another program took the backup over during the run, so no version was made",
                $"{DisplayName}: {own}"
            );
        }

        foreach (
            StoredFile file in written
                .Concat(used)
                .Where(file => !there.TryGetValue(file.Name, out long size) || size != file.SizeBytes)
        )
        {
            string found = there.TryGetValue(file.Name, out long size)
                ? $"has {size} instead of {file.SizeBytes} bytes"
                : "is not there";
            throw new RestoreException(
                RestoreErrorCode.DestinationNotWritable,
                $"A volume that the version needs {found}, so no version was made",
                $"{DisplayName}: {file.Name}"
            );
        }

        return there.Keys;
    }

    /// <summary>Removes the files that this run has put, if the store can delete.</summary>
    /// <exception cref="RestoreException">The store cannot be changed.</exception>
    public async Task RemoveWrittenAsync(CancellationToken cancellationToken)
    {
        if (!isDryRun && Sink.CanDelete)
        {
            foreach (StoredFile file in written)
            {
                await Sink.DeleteAsync(file.Name, cancellationToken).ConfigureAwait(false);
            }
        }
    }

    public async ValueTask DisposeAsync()
    {
        await Sink.DisposeAsync().ConfigureAwait(false);
        await store.DisposeAsync().ConfigureAwait(false);
    }
}
