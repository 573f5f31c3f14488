namespace Restore.DependencyInjection;

/// <summary>
/// Opens a backup that was registered with
/// <see cref="Microsoft.Extensions.DependencyInjection.RestoreServiceCollectionExtensions"/>.
/// Opening lists a store, which is asynchronous, and a container creates services synchronously:
/// that is why services ask for this source and not for a <see cref="Backup"/>. Safe for concurrent
/// use.
/// </summary>
public class BackupSource : IAsyncDisposable
{
    private readonly string location = "";
    private readonly BackupOptions options = new();
    private readonly SemaphoreSlim opening = new(1, 1);
    private Backup? shared;
    private bool isDisposed;

    /// <summary>Creates a source. Opens nothing.</summary>
    /// <param name="location">A folder, or a URL in Duplicati's form.</param>
    /// <param name="options">How to open the backup.</param>
    public BackupSource(string location, BackupOptions options)
    {
        ArgumentException.ThrowIfNullOrEmpty(location);
        ArgumentNullException.ThrowIfNull(options);
        (this.location, this.options) = (location, options);
    }

    /// <summary>
    /// For a fake in tests, which overrides <see cref="GetAsync"/> and <see cref="OpenAsync"/>.
    /// </summary>
    protected BackupSource() { }

    /// <summary>
    /// The backup that all callers share. The first call opens it; a call that fails leaves it
    /// closed, and the next one tries again. It has the versions of the time when it was opened.
    /// Callers do not dispose it: this source does.
    /// </summary>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="RestoreException">The backup cannot be opened.</exception>
    public virtual async ValueTask<Backup> GetAsync(CancellationToken cancellationToken = default)
    {
        ObjectDisposedException.ThrowIf(Volatile.Read(ref isDisposed), this);
        if (Volatile.Read(ref shared) is Backup opened)
        {
            return opened;
        }

        await opening.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            // The source may have been disposed during the wait.
            ObjectDisposedException.ThrowIf(isDisposed, this);
            Backup backup = shared ?? await OpenAsync(cancellationToken).ConfigureAwait(false);
            Volatile.Write(ref shared, backup);
            return backup;
        }
        finally
        {
            opening.Release();
        }
    }

    /// <summary>
    /// Opens the backup for the caller alone, who disposes it: with the versions that it has now.
    /// </summary>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="RestoreException">The backup cannot be opened.</exception>
    public virtual Task<Backup> OpenAsync(CancellationToken cancellationToken = default) =>
        location.Length > 0
            ? Backup.OpenAsync(location, options, cancellationToken)
            : throw new NotSupportedException(
                "This source has no location: it is a fake, which does not override what it is asked for"
            );

    /// <summary>Closes the shared backup, if it was opened. The container calls it.</summary>
    public virtual async ValueTask DisposeAsync()
    {
        GC.SuppressFinalize(this);
        await opening.WaitAsync().ConfigureAwait(false);
        try
        {
            Volatile.Write(ref isDisposed, true);
            if (Interlocked.Exchange(ref shared, null) is Backup backup)
            {
                await backup.DisposeAsync().ConfigureAwait(false);
            }
        }
        finally
        {
            opening.Release();
        }
    }
}
