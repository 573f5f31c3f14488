namespace Restore.Browse.Index;

/// <summary>
/// Reads the lists of versions into a tree: one at a time, and only those that were asked for.
/// </summary>
internal sealed class VersionLists(Backup backup, EntryIndex tree, CancellationToken stopping) : IAsyncDisposable
{
    private const int EntriesBetweenStatuses = 4096;

    private readonly Lock gate = new();
    private readonly SemaphoreSlim reading = new(1);
    private readonly Task?[] tasks = new Task?[backup.Versions.Count];
    private readonly ListStatus[] statuses = [.. backup.Versions.Select(_ => new ListStatus(ListState.Unread))];
    private Task readingAll = Task.CompletedTask;
    private bool isReadingAll;

    public IReadOnlyList<ListStatus> Statuses => statuses;

    public bool IsReading
    {
        get
        {
            lock (gate)
            {
                return !readingAll.IsCompleted || tasks.Any(task => task is { IsCompleted: false });
            }
        }
    }

    /// <summary>Reads the list again if it could not be read: a connection may be back.</summary>
    public async Task ReadAsync(BackupVersion version, CancellationToken cancellationToken)
    {
        int place = PlaceOf(version);
        Task task;
        lock (gate)
        {
            tasks[place] =
                tasks[place] is { IsCompleted: true } && statuses[place].State == ListState.Failed
                    ? null
                    : tasks[place];
            task = tasks[place] ??= LoadAsync(version, place);
        }

        await task.WaitAsync(cancellationToken).ConfigureAwait(false);
        if (statuses[place].Failure is Exception failure)
        {
            throw failure is RestoreException known
                ? (Exception)new RestoreException(known.Code, known.What, known.Where, known)
                : new IOException(failure.Message, failure);
        }
    }

    public void ReadAll()
    {
        lock (gate)
        {
            if (!isReadingAll)
            {
                isReadingAll = true;
                readingAll = Task.Run(ReadAllAsync, CancellationToken.None);
            }
        }
    }

    public ListStatus StatusOf(BackupVersion version) => statuses[PlaceOf(version)];

    public async ValueTask DisposeAsync()
    {
        Task[] rest;
        lock (gate)
        {
            rest = [readingAll, .. tasks.OfType<Task>()];
        }

        await Task.WhenAll(rest).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        reading.Dispose();
    }

    private async Task ReadAllAsync()
    {
        foreach (BackupVersion version in backup.Versions)
        {
            try
            {
                await ReadAsync(version, stopping).ConfigureAwait(false);
            }
            catch (Exception failure) when (failure is RestoreException or IOException)
            {
                // Its status has the reason.
            }
        }
    }

    private async Task LoadAsync(BackupVersion version, int place)
    {
        // Not under the lock of the caller.
        await Task.Yield();
        await reading.WaitAsync(stopping).ConfigureAwait(false);
        try
        {
            statuses[place] = new ListStatus(ListState.Reading);
            (int entries, int leftOut) = (0, 0);
            string? problem = null;
            try
            {
                await backup.ReadListAsync(version, Add, stopping).ConfigureAwait(false);
            }
            catch (RestoreException failure) when (failure.Code == RestoreErrorCode.FileListIncomplete)
            {
                problem = failure.What;
            }

            bool isPartial = await backup.IsPartialAsync(version, stopping).ConfigureAwait(false) == true;
            statuses[place] = new ListStatus(ListState.Read, entries, leftOut)
            {
                Problem = problem,
                IsPartial = isPartial,
            };

            void Add(EntryInList entry)
            {
                leftOut += TryAdd(version, entry) ? 0 : 1;
                if (++entries % EntriesBetweenStatuses == 0)
                {
                    statuses[place] = new ListStatus(ListState.Reading, entries, leftOut);
                }
            }
        }
        catch (Exception failure) when (failure is RestoreException or IOException)
        {
            statuses[place] = statuses[place] with { State = ListState.Failed, Failure = failure };
        }
        finally
        {
            reading.Release();
        }
    }

    private bool TryAdd(BackupVersion version, in EntryInList entry)
    {
        lock (tree.Gate)
        {
            return !tree.IsFull
                ? tree.TryAdd(version.Index, entry)
                : throw new IOException(
                    $"The list of version {version.Index} is too long for the memory that the page may use; "
                        + "'restore ls' and 'restore find' have no such limit"
                );
        }
    }

    private int PlaceOf(BackupVersion version)
    {
        for (int i = 0; i < backup.Versions.Count; i++)
        {
            if (backup.Versions[i] == version)
            {
                return i;
            }
        }

        throw new ArgumentException($"Version {version.Index} is not one of this backup", nameof(version));
    }
}
