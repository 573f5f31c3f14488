namespace Restore.Web.Files;

/// <summary>
/// The contents that requests read. Opening one costs a search, and a player or a file manager asks for a file in pieces: the last four stay open. At most
/// eight are read at once, because each has a cache of its own.
/// </summary>
internal sealed class OpenFiles(Backup backup) : IAsyncDisposable
{
    private const int MaxOpen = 8;
    private const int MaxIdle = 4;

    private readonly SemaphoreSlim places = new(MaxOpen);
    private readonly Lock gate = new();
    private readonly List<(BackupVersion Version, string Path, Stream Stream)> idle = [];

    /// <summary>Opens a content.</summary>
    /// <param name="version">The version.</param>
    /// <param name="path">The original path.</param>
    /// <param name="isWhole">Whether all of it is read: then it is opened anew, since only the first read verifies the hash of the file.</param>
    /// <param name="cancellationToken">Cancels the opening.</param>
    public async Task<OpenFile> OpenAsync(BackupVersion version, string path, bool isWhole, CancellationToken cancellationToken)
    {
        await places.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            Stream stream = isWhole ? await backup.OpenEntryAsync(version, path, cancellationToken).ConfigureAwait(false)
                : await TakeAsync(version, path, cancellationToken).ConfigureAwait(false);
            return new OpenFile(stream, isSound => GiveBackAsync(version, path, stream, isSound));
        }
        catch
        {
            places.Release();
            throw;
        }
    }

    public async ValueTask DisposeAsync()
    {
        foreach ((BackupVersion _, string _, Stream stream) in idle)
        {
            await stream.DisposeAsync().ConfigureAwait(false);
        }

        places.Dispose();
    }

    private async Task<Stream> TakeAsync(BackupVersion version, string path, CancellationToken cancellationToken)
    {
        Stream? other = null;
        lock (gate)
        {
            int place = idle.FindIndex(open => open.Version == version && open.Path == path);
            if (place >= 0)
            {
                Stream found = idle[place].Stream;
                idle.RemoveAt(place);
                return found;
            }

            if (idle.Count == MaxIdle)
            {
                other = idle[0].Stream;
                idle.RemoveAt(0);
            }
        }

        if (other is not null)
        {
            await other.DisposeAsync().ConfigureAwait(false);
        }

        return await backup.OpenEntryAsync(version, path, cancellationToken).ConfigureAwait(false);
    }

    private async ValueTask GiveBackAsync(BackupVersion version, string path, Stream stream, bool isSound)
    {
        bool isKept = false;
        lock (gate)
        {
            if (isSound && idle.Count < MaxIdle)
            {
                idle.Add((version, path, stream));
                isKept = true;
            }
        }

        if (!isKept)
        {
            await stream.DisposeAsync().ConfigureAwait(false);
        }

        places.Release();
    }
}

/// <summary>A content that one request reads.</summary>
/// <param name="stream">The content.</param>
/// <param name="giveBack">Ends the use; says whether all reads worked.</param>
internal sealed class OpenFile(Stream stream, Func<bool, ValueTask> giveBack) : IAsyncDisposable
{
    private bool isSound;

    public Stream Stream => stream;

    /// <summary>All reads worked: the stream can serve another request.</summary>
    public void Complete() => isSound = true;

    public ValueTask DisposeAsync() => giveBack(isSound);
}
