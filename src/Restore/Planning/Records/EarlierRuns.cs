namespace Restore.Planning.Records;

/// <summary>
/// The records of interrupted runs at a target. They are locked while this is open: the record of a run that goes on is locked by that run, and left
/// alone.
/// </summary>
internal sealed class EarlierRuns : IDisposable
{
    private readonly List<(string Path, EarlierRun Run, ITargetFile Lock)> runs = [];

    private EarlierRuns()
    {
    }

    public bool IsEmpty => runs.Count == 0;

    /// <summary>Reads the records.</summary>
    /// <param name="target">The target.</param>
    /// <param name="folder">The folder of the records.</param>
    /// <param name="issues">Receives a warning about each record that cannot be used.</param>
    /// <param name="isOwn">
    /// Of a part of a split plan: whether a record has the name of an earlier attempt of the same part. Others are left alone, locked or not; the own
    /// ones are used even if they are locked, because the caller knows that the attempt has ended. Null for all.
    /// </param>
    /// <param name="isOther">Whether a record has the name of a run that is none of the caller's business; null for none.</param>
    public static EarlierRuns Read(
        IRestoreTarget target, string folder, IssueLog issues, Predicate<string>? isOwn = null, Predicate<string>? isOther = null)
    {
        EarlierRuns runs = new();
        try
        {
            foreach (string name in NamesIn(target, folder, issues))
            {
                if (RecordNames.IsRecord(name) && isOwn?.Invoke(name) != false && isOther?.Invoke(name) != true)
                {
                    runs.Add(target, folder.Length == 0 ? name : $"{folder}/{name}", issues, isOwned: isOwn is not null);
                }
            }

            return runs;
        }
        catch
        {
            // A record that stays locked would be one of a run that goes on.
            runs.Dispose();
            throw;
        }
    }

    /// <summary>Whether interrupted runs named a path as one that they may make.</summary>
    public bool Name(string path) => runs.Exists(run => run.Run.Made.Contains(path));

    /// <summary>Whether a file that is not right is one that an interrupted run made, and that nobody has changed since.</summary>
    public bool LeftUnfinished(string path, TargetStatus status, bool hasBackupTime) =>
        runs.Exists(run => run.Run.LeftUnfinished(path, status, hasBackupTime));

    /// <summary>Removes what interrupted runs left under their temporary names. A record cannot name anything else to be removed.</summary>
    public void RemoveTemporaries(IRestoreTarget target)
    {
        foreach ((string record, EarlierRun run, _) in runs)
        {
            foreach (string path in TemporariesOf(record, run))
            {
                Attempt(() => RemoveTemporary(target, path));
            }
        }
    }

    /// <summary>
    /// Removes the records, when a run has ended well, but not those that name unfinished files that are no part of that run, or temporary files that
    /// cannot be removed.
    /// </summary>
    /// <param name="target">The target.</param>
    /// <param name="isDone">Whether a path is part of the run.</param>
    /// <returns>Why a record could not be removed; null if each could.</returns>
    public string? RemoveRecords(IRestoreTarget target, Func<string, bool> isDone)
    {
        string? problem = null;
        foreach ((string record, EarlierRun run, _) in runs)
        {
            string? failure = Attempt(() =>
            {
                foreach (string path in TemporariesOf(record, run))
                {
                    RemoveTemporary(target, path);
                }

                if (run.Made.All(path => isDone(path) || !run.LeftUnfinished(path, target.Inspect(path), hasBackupTime: false)))
                {
                    target.DeleteFile(record);
                }
            });
            problem ??= failure is null ? null : $"The record of an interrupted restore could not be removed: {failure}";
        }

        return problem;
    }

    public void Dispose()
    {
        runs.ForEach(run => Attempt(run.Lock.Dispose));
        runs.Clear();
    }

    private static IReadOnlyList<string> NamesIn(IRestoreTarget target, string folder, IssueLog issues)
    {
        try
        {
            return target.NamesIn(folder, RecordNames.Prefix);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            string reason = $"The record of an interrupted restore cannot be looked for; unfinished files are taken for yours: {failure.Reason()}";
            issues.Add(new RestoreIssue(IssueKind.Warning, target.Display(folder), reason));
            return [];
        }
    }

    private static IEnumerable<string> TemporariesOf(string record, EarlierRun run)
    {
        string recordName = record[(record.LastIndexOf('/') + 1)..];
        return run.Temporaries.Where(path => RecordNames.IsTemporary(path.AsSpan(path.LastIndexOf('/') + 1), recordName));
    }

    private static void RemoveTemporary(IRestoreTarget target, string path)
    {
        if (target.Inspect(path).Kind is TargetKind.File or TargetKind.Symlink)
        {
            target.DeleteFile(path);
        }
    }

    private static string? Attempt(Action action)
    {
        try
        {
            action();
            return null;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or RestoreException)
        {
            // The next run tries again.
            return failure.Reason();
        }
    }

    private void Add(IRestoreTarget target, string path, IssueLog issues, bool isOwned)
    {
        ITargetFile? file = null;
        try
        {
            file = target.OpenFile(path, TargetOpenMode.Read);
            if (!file.TryLock() && !isOwned)
            {
                return;
            }

            if (file.Length <= RecordFormat.MaxBytes && Read(file) is EarlierRun run)
            {
                runs.Add((path, run, file));
                file = null;
                if (run.IsDamaged)
                {
                    Warn("The record of an interrupted restore is damaged: files that only its lost part names are taken for yours", IssueCode.None);
                }

                return;
            }

            Warn("The record of an interrupted restore cannot be used: it is something else", IssueCode.RecordUnusable);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            Warn($"The record of an interrupted restore cannot be used: {failure.Reason()}", IssueCode.RecordUnusable);
        }
        finally
        {
            Attempt(() => file?.Dispose());
        }

        void Warn(string reason, IssueCode code) => issues.Add(new RestoreIssue(IssueKind.Warning, target.Display(path), reason) { Code = code });
    }

    private static EarlierRun? Read(ITargetFile file)
    {
        byte[] content = new byte[file.Length];
        int length = file.Read(0, content);
        return RecordFormat.Read(content.AsSpan(0, length), file.ModifiedTicks);
    }
}
