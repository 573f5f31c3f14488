namespace Restore.Storage;

/// <summary>
/// Keeps two programs from writing to one backup: a file in the store that says who writes. Every
/// writer makes a file with its own name and then looks for files of others, so the store need not
/// have an atomic "create": if two writers begin at the same time, at least one sees the other and
/// stops. Both may stop, which does no harm.
/// </summary>
internal sealed class WriterLock : IAsyncDisposable
{
    private const string Mark = "restore-lock.";

    // A store that no longer answers must not hold up the end of a run.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(30);

    private readonly RetryingSink sink;
    private readonly TimeProvider timeProvider;
    private readonly string mark;
    private readonly FolderLock? folder;
    private bool isWithoutRoom;

    private WriterLock(RetryingSink sink, TimeProvider timeProvider, string mark, FolderLock? folder, string? name) =>
        (this.sink, this.timeProvider, this.mark, this.folder, Name) = (sink, timeProvider, mark, folder, name);

    /// <summary>
    /// The name of the lock file; null if the store has no lock file of this writer.
    /// </summary>
    public string? Name { get; private set; }

    /// <summary>Whether a file is the lock of a writer, of whatever backup.</summary>
    public static bool IsLock(string name) => name.StartsWith(Mark, StringComparison.Ordinal);

    private static string Host =>
        string.Concat(
            Environment.MachineName.Select(sign => char.IsAsciiLetterOrDigit(sign) || sign is '-' or '_' ? sign : '_')
        );

    /// <summary>
    /// Takes the lock. A store that only takes new files gets none, because the lock could not be
    /// removed. Breaking removes the locks that programs left when they ended.
    /// </summary>
    public static async Task<WriterLock> TakeAsync(
        RetryingSink sink,
        string prefix,
        TimeProvider timeProvider,
        bool breaks,
        CancellationToken cancellationToken
    )
    {
        string mark = MarkOf(prefix);
        if (!sink.CanDelete)
        {
            return new WriterLock(sink, timeProvider, mark, null, null);
        }

        FolderLock? folder = Guarded(sink, sink.ShareLock);
        try
        {
            foreach (string other in await OthersAsync(sink, mark, cancellationToken).ConfigureAwait(false))
            {
                if (!breaks)
                {
                    throw Locked(sink, mark, other);
                }

                await sink.DeleteAsync(other, cancellationToken).ConfigureAwait(false);
            }

            return await TakeAsync(sink, mark, timeProvider, folder, cancellationToken).ConfigureAwait(false);
        }
        catch
        {
            folder?.Dispose();
            throw;
        }
    }

    /// <summary>
    /// Call it after something was deleted: a full disk may now have room for the file that says
    /// who writes. The file shows the lock to earlier versions and to other machines, which do not
    /// see the lock of the folder.
    /// </summary>
    /// <exception cref="RestoreException">Another writer has begun meanwhile.</exception>
    public async Task CompleteAsync(CancellationToken cancellationToken)
    {
        if (!isWithoutRoom)
        {
            return;
        }

        try
        {
            Name = await sink.PutAsync(_ => NewName(mark, timeProvider), default, cancellationToken)
                .ConfigureAwait(false);
        }
        catch (RestoreException failure) when (HasNoRoom(failure))
        {
            return;
        }

        isWithoutRoom = false;

        // The same second look as when the lock is taken.
        if (await RivalAsync(sink, mark, name => name == Name, cancellationToken).ConfigureAwait(false) is { } rival)
        {
            throw Locked(sink, mark, rival);
        }
    }

    /// <summary>
    /// Releases the lock, regardless of how the run ended. If the store does not let the file be
    /// removed, the next run reports it.
    /// </summary>
    public async ValueTask DisposeAsync()
    {
        await RemoveAsync(sink, Name is null ? [] : [Name], timeProvider).ConfigureAwait(false);
        folder?.Dispose();
    }

    private static async Task<WriterLock> TakeAsync(
        RetryingSink sink,
        string mark,
        TimeProvider timeProvider,
        FolderLock? folder,
        CancellationToken cancellationToken
    )
    {
        HashSet<string> tried = new(StringComparer.Ordinal);
        string NameOfTry(int trial)
        {
            string name = NewName(mark, timeProvider);
            tried.Add(name);
            return name;
        }

        string own;
        try
        {
            byte[] content = Encoding.UTF8.GetBytes($"Host {Host}, process {Environment.ProcessId}\n");
            own = await PutAsync(sink, NameOfTry, content, cancellationToken).ConfigureAwait(false);
        }
        catch (RestoreException failure) when (folder is not null && HasNoRoom(failure))
        {
            // There is no room even for a name, because the blocks of the folder are full. The
            // deletions of the run make room.
            await RemoveAsync(sink, tried, timeProvider).ConfigureAwait(false);
            if (!Guarded(sink, folder.TryTakeAlone))
            {
                throw;
            }

            return await TakeWithoutFileAsync(sink, mark, timeProvider, folder, cancellationToken)
                .ConfigureAwait(false);
        }
        catch (Exception failure) when (failure is not RestoreException { Code: RestoreErrorCode.StoreUnreachable })
        {
            // It can be there although the run was ended meanwhile: what a store does last may fail
            // too.
            await RemoveAsync(sink, tried, timeProvider).ConfigureAwait(false);
            throw;
        }

        try
        {
            // The second look, after the own file is in the store: a writer that came between the
            // first look and that file is seen here, or sees this one.
            string[] others = await OthersAsync(sink, mark, cancellationToken).ConfigureAwait(false);
            foreach (string ours in others.Where(other => other != own && tried.Contains(other)))
            {
                // The answer to this try was lost, and so was the deletion after it.
                await sink.DeleteAsync(ours, cancellationToken).ConfigureAwait(false);
            }

            return others.FirstOrDefault(other => !tried.Contains(other)) is { } rival
                ? throw Locked(sink, mark, rival)
                : new WriterLock(sink, timeProvider, mark, folder, own);
        }
        catch
        {
            await RemoveAsync(sink, [own], timeProvider).ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>
    /// The lock of the folder is held exclusively. Writers that came earlier are seen now, and
    /// writers that come later cannot share it.
    /// </summary>
    private static async Task<WriterLock> TakeWithoutFileAsync(
        RetryingSink sink,
        string mark,
        TimeProvider timeProvider,
        FolderLock folder,
        CancellationToken cancellationToken
    ) =>
        await RivalAsync(sink, mark, _ => false, cancellationToken).ConfigureAwait(false) is { } rival
            ? throw Locked(sink, mark, rival)
            : new WriterLock(sink, timeProvider, mark, folder, null) { isWithoutRoom = true };

    private static async Task<string?> RivalAsync(
        RetryingSink sink,
        string mark,
        Predicate<string> isOwn,
        CancellationToken cancellationToken
    ) =>
        (await OthersAsync(sink, mark, cancellationToken).ConfigureAwait(false)).FirstOrDefault(other => !isOwn(other));

    private static string NewName(string mark, TimeProvider timeProvider) =>
        $"{mark}{Timestamp.Format(timeProvider.GetUtcNow())}.{Guid.NewGuid():N}.{Host}";

    private static bool HasNoRoom(RestoreException failure) =>
        failure.InnerException is { } cause && (WriteFailure.IsFull(cause) || WriteFailure.IsOverQuota(cause));

    private static T Guarded<T>(RetryingSink sink, Func<T> take)
    {
        try
        {
            return take();
        }
        catch (FolderLockedException failure)
        {
            throw new RestoreException(
                RestoreErrorCode.BackupLocked,
                "Another program writes to the backup",
                sink.DisplayName,
                failure
            );
        }
    }

    internal static string MarkOf(string prefix) => Mark + prefix + '.';

    /// <summary>
    /// On a full disk the name alone is the lock: it says who writes, and an empty file takes no
    /// room for data.
    /// </summary>
    private static async Task<string> PutAsync(
        RetryingSink sink,
        Func<int, string> newName,
        byte[] content,
        CancellationToken cancellationToken
    )
    {
        try
        {
            return await sink.PutAsync(newName, content, cancellationToken).ConfigureAwait(false);
        }
        catch (RestoreException failure)
            when (sink.IsLocal
                && failure.Code
                    is RestoreErrorCode.DestinationNotWritable
                        or RestoreErrorCode.QuotaExceeded
                        or RestoreErrorCode.FileTooLarge
            )
        {
            return await sink.PutAsync(newName, default, cancellationToken).ConfigureAwait(false);
        }
    }

    private static async ValueTask RemoveAsync(RetryingSink sink, IEnumerable<string> names, TimeProvider timeProvider)
    {
        try
        {
            using CancellationTokenSource limit = new(Patience, timeProvider);
            foreach (string name in names)
            {
                await sink.DeleteAsync(name, limit.Token).ConfigureAwait(false);
            }
        }
        catch (Exception failure) when (failure is RestoreException or OperationCanceledException)
        {
            // The end of the run is the one to report.
        }
    }

    private static async Task<string[]> OthersAsync(RetryingSink sink, string mark, CancellationToken cancellationToken)
    {
        List<StoredFile> files = await sink.ListAsync(cancellationToken).ConfigureAwait(false);
        return
        [
            .. files
                .Select(file => file.Name)
                .Where(file => file.StartsWith(mark, StringComparison.Ordinal) && IsTime(file.AsSpan(mark.Length))),
        ];
    }

    /// <summary>
    /// Whether a time follows: the prefix of another backup can begin with this one and a point.
    /// </summary>
    private static bool IsTime(ReadOnlySpan<char> rest) =>
        rest.IndexOf('.') is >= 0 and var end && Timestamp.TryParse(rest[..end], out _);

    private static RestoreException Locked(RetryingSink sink, string mark, string name)
    {
        string[] parts = name[mark.Length..].Split('.', 3);
        string who = parts.Length == 3 ? $"{parts[2]} since {parts[0]}" : name;
        return new RestoreException(
            RestoreErrorCode.BackupLocked,
            $"Another program writes to the backup, or ended without a word: {who}",
            $"{sink.DisplayName}: {name}"
        );
    }
}
