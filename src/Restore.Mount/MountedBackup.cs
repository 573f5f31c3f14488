namespace Restore.Mount;

/// <summary>
/// The versions of a backup while it is mounted: opens the backup again now and then, so that new
/// versions show up, and after losses, so that a store that is back or was compacted is read again.
/// Keeps the trees of the versions that are in use. Safe for concurrent use.
/// </summary>
internal sealed class MountedBackup : IAsyncDisposable
{
    private const int KeptTrees = 2;

    private static readonly TimeSpan BetweenLooks = TimeSpan.FromSeconds(30);
    private static readonly TimeSpan BetweenLooksAfterLoss = TimeSpan.FromSeconds(5);

    private readonly MountSettings settings;
    private readonly SemaphoreSlim looking = new(1, 1);
    private readonly SemaphoreSlim opening = new(1, 1);
    private readonly Lock gate = new();
    private readonly Dictionary<uint, OpenTree> trees = [];
    private List<MountedVersion> versions = [];
    private OpenBackup current;
    private long lastLook;
    private long uses;
    private uint lastNumber;
    private uint history;
    private uint lastGood;
    private bool isUnreachable;

    public MountedBackup(Backup backup, MountSettings settings)
    {
        this.settings = settings;
        current = new OpenBackup(backup);
        lastLook = settings.Clock.GetTimestamp();
        Take(current);
    }

    /// <summary>All versions that were there since the mount began, oldest first.</summary>
    public IReadOnlyList<MountedVersion> Versions => Volatile.Read(ref versions);

    public MountedVersion Newest => Versions.MaxBy(version => version.Version.Time)!;

    /// <summary>
    /// The number of the tree of all versions; another one when there are new versions.
    /// </summary>
    public uint History => Volatile.Read(ref history);

    /// <summary>The number of the tree with the last good version of each file.</summary>
    public uint LastGood => Volatile.Read(ref lastGood);

    public MountedVersion? Find(uint number) => Versions.FirstOrDefault(version => version.Number == number);

    /// <summary>Opens the backup again if the last time is a while ago.</summary>
    public async ValueTask LookAsync(CancellationToken cancellationToken)
    {
        if (settings.Clock.GetElapsedTime(Interlocked.Read(ref lastLook)) >= BetweenLooks)
        {
            await LookAsync(BetweenLooks, cancellationToken);
        }
    }

    /// <summary>Opens the backup again after something could not be read.</summary>
    /// <returns>Whether to read it once more: the store was away and is back, or has other volumes
    /// now.</returns>
    public Task<bool> LookAfterLossAsync(CancellationToken cancellationToken) =>
        LookAsync(BetweenLooksAfterLoss, cancellationToken);

    /// <summary>
    /// The tree of a number, opened if it is not in memory. The caller leaves it.
    /// </summary>
    /// <exception cref="FuseException">There is no such tree any more.</exception>
    public async ValueTask<OpenTree> EnterAsync(uint number, CancellationToken cancellationToken)
    {
        if (TryEnter(number) is { } known)
        {
            return known;
        }

        await opening.WaitAsync(cancellationToken);
        try
        {
            // On another thread: a large list takes a second of computing, and the caller answers
            // other requests too.
            return TryEnter(number) ?? await Task.Run(() => OpenAsync(number, cancellationToken), cancellationToken);
        }
        finally
        {
            opening.Release();
        }
    }

    public async ValueTask DisposeAsync()
    {
        List<OpenTree> left;
        lock (gate)
        {
            left = [.. trees.Values];
            trees.Clear();
        }

        foreach (var tree in left)
        {
            await tree.LeaveAsync();
        }

        await current.LeaveAsync();
    }

    private OpenTree? TryEnter(uint number)
    {
        lock (gate)
        {
            if (trees.TryGetValue(number, out var tree) && tree.TryEnter())
            {
                tree.LastUse = ++uses;
                return tree;
            }

            return null;
        }
    }

    private async Task<OpenTree> OpenAsync(uint number, CancellationToken cancellationToken)
    {
        MountedVersion? version;
        OpenBackup backup;
        bool isLastGood;
        lock (gate)
        {
            // Under the lock, since a backup that was replaced may have no user left.
            version = Find(number);
            isLastGood = number == lastGood;
            backup =
                version?.Backup
                ?? (number == history || isLastGood ? current : throw new FuseException(FuseException.Stale));
            backup.Enter();
        }

        BackupTree tree;
        try
        {
            tree =
                isLastGood ? await backup.Backup.OpenLastGoodTreeAsync(settings.Memory, cancellationToken)
                : version is null ? await backup.Backup.OpenHistoryTreeAsync(settings.Memory, cancellationToken)
                : await backup.Backup.OpenTreeAsync(version.Version, settings.Memory, null, cancellationToken);
        }
        catch
        {
            await backup.LeaveAsync();
            throw;
        }

        foreach (var issue in tree.Issues)
        {
            settings.Warn($"{issue.Path}: {issue.Reason}");
        }

        var time = version?.Version.Time ?? backup.Backup.Versions[0].Time;
        var opened = new OpenTree(
            tree,
            backup,
            new TreeFacts(tree, time, settings.UserId, settings.GroupId, settings.Warn)
        );
        opened.TryEnter();
        List<OpenTree> dropped = [];
        lock (gate)
        {
            opened.LastUse = ++uses;
            trees[number] = opened;
            dropped.AddRange(TakeUnused());
        }

        foreach (var unused in dropped)
        {
            await unused.LeaveAsync();
        }

        return opened;
    }

    /// <summary>Removes the trees that are too much, the least recently used ones first.</summary>
    private IEnumerable<OpenTree> TakeUnused()
    {
        var left = trees.Sum(tree => tree.Value.Tree.MemoryBytes);
        foreach (var (number, tree) in trees.OrderBy(tree => tree.Value.LastUse).ToList())
        {
            if (left <= settings.MaxTreeBytes || trees.Count <= KeptTrees)
            {
                break;
            }

            // A tree in use would not give back its memory yet.
            if (!tree.Tree.IsShared)
            {
                left -= tree.Tree.MemoryBytes;
                trees.Remove(number);
                yield return tree;
            }
        }
    }

    private async Task<bool> LookAsync(TimeSpan atLeast, CancellationToken cancellationToken)
    {
        var before = current;
        await looking.WaitAsync(cancellationToken);
        try
        {
            // Another caller has looked while this one waited.
            return before != current
                || (settings.Clock.GetElapsedTime(lastLook) >= atLeast && await LookNowAsync(cancellationToken));
        }
        finally
        {
            looking.Release();
        }
    }

    private async Task<bool> LookNowAsync(CancellationToken cancellationToken)
    {
        Backup opened;
        try
        {
            opened = await settings.Open(cancellationToken);
        }
        catch (Exception failure) when (failure is RestoreException or IOException)
        {
            if (!isUnreachable)
            {
                settings.Warn(
                    $"The backup cannot be reached; what is not in memory cannot be read until it is back: {failure.Message}"
                );
            }

            isUnreachable = true;
            return false;
        }
        finally
        {
            Interlocked.Exchange(ref lastLook, settings.Clock.GetTimestamp());
        }

        // With the same volumes nothing is new, and the trees in memory stay. After a time without
        // the store, they are replaced even then: what they could not read is read again.
        if (!isUnreachable && opened.HasVolumesOf(current.Backup))
        {
            await opened.DisposeAsync();
            return false;
        }

        if (isUnreachable)
        {
            settings.Warn("The backup can be reached again");
            isUnreachable = false;
        }

        await ReplaceAsync(new OpenBackup(opened));
        return true;
    }

    /// <summary>
    /// Uses a backup that was opened again. Trees of the one before are dropped; their readers keep
    /// them until they leave.
    /// </summary>
    private async Task ReplaceAsync(OpenBackup opened)
    {
        List<OpenTree> dropped;
        OpenBackup before;
        lock (gate)
        {
            before = current;
            current = opened;
            Take(opened);

            // What only the backup before has stays readable from there.
            var kept = versions.Where(version => version.Backup == before).ToList();
            kept.ForEach(_ => before.Enter());
            HashSet<uint> stay = [.. kept.Select(version => version.Number)];
            dropped = [.. trees.Where(tree => !stay.Contains(tree.Key)).Select(tree => tree.Value)];
            foreach (var number in trees.Keys.Where(number => !stay.Contains(number)).ToList())
            {
                trees.Remove(number);
            }
        }

        foreach (var tree in dropped)
        {
            await tree.LeaveAsync();
        }

        await before.LeaveAsync();
    }

    /// <summary>
    /// Adds the versions of a backup, and lets those that are known come from it.
    /// </summary>
    private void Take(OpenBackup backup)
    {
        // A version keeps its number and the name of its folder as long as the mount lives, because
        // the kernel and programs have both.
        var known = versions.ToDictionary(version => version.Version.FileListName);
        var names = versions.Select(version => version.Name).ToHashSet();
        foreach (var version in backup.Backup.Versions.Reverse())
        {
            if (known.TryGetValue(version.FileListName, out var before))
            {
                known[version.FileListName] = before with { Version = version, Backup = backup };
                continue;
            }

            var name = Backup.FolderNameOf(version);
            for (var copy = 2; !names.Add(name); copy++)
            {
                name = $"{Backup.FolderNameOf(version)}-{copy}";
            }

            known.Add(version.FileListName, new MountedVersion(++lastNumber, name, version, backup));
        }

        // The number is the position in a listing too. A new version has the highest number, so a
        // listing in parts misses none.
        Volatile.Write(ref versions, [.. known.Values.OrderBy(version => version.Number)]);
        Volatile.Write(ref history, ++lastNumber);
        Volatile.Write(ref lastGood, ++lastNumber);
    }
}
