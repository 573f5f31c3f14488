namespace Restore.Resume;

/// <summary>
/// The records of interrupted runs at a target. They are locked while this is open: the record of a
/// running restore is locked by that run, and only read.
/// </summary>
internal sealed class EarlierRuns : IDisposable
{
    private readonly List<(string Path, EarlierRun Run, ITargetFile Lock)> runs = [];
    private readonly List<(string Path, EarlierRun Run)> goingOn = [];

    private EarlierRuns() { }

    public bool IsEmpty => runs.Count == 0;

    /// <summary>Reads the records.</summary>
    /// <param name="issues">Receives a warning about each record that cannot be used.</param>
    /// <param name="isOwn">Of a part of a split plan: whether a record has the name of an earlier
    /// attempt of the same part. Others are left alone, locked or not; the own ones are used even
    /// if they are locked, because the caller knows that the attempt has ended. Null for all.
    /// </param>
    /// <param name="isOther">Whether a record has the name of a run that the caller ignores; null
    /// to ignore no run.</param>
    public static EarlierRuns Read(
        IRestoreTarget target,
        string folder,
        IssueLog issues,
        Predicate<string>? isOwn = null,
        Predicate<string>? isOther = null
    )
    {
        EarlierRuns runs = new();
        try
        {
            foreach (string name in NamesIn(target, folder, issues))
            {
                if (RecordNames.IsRecord(name) && isOwn?.Invoke(name) != false && isOther?.Invoke(name) != true)
                {
                    runs.Add(target, folder, name, issues, isOwned: isOwn is not null);
                }
            }

            return runs;
        }
        catch
        {
            // A record that stays locked would look like the record of a running restore.
            runs.Dispose();
            throw;
        }
    }

    /// <summary>Whether there is a record of a run that has not ended.</summary>
    public bool IsGoingOn => goingOn.Count > 0;

    /// <summary>The records of runs that have not ended and create one of the files.</summary>
    public IEnumerable<string> Making(Predicate<string> path) =>
        goingOn.Where(run => run.Run.Partials.Keys.Any(made => path(made))).Select(run => run.Path);

    /// <summary>Whether there is the record of an interrupted run at a path.</summary>
    public bool Has(string record) => runs.Exists(run => run.Path == record);

    /// <summary>
    /// Whether an interrupted run may have made the file at a path. If the power failed too, the
    /// device may lack its content although size and time are right.
    /// </summary>
    public bool Name(string path) => runs.Exists(run => run.Run.Partials.ContainsKey(path));

    /// <summary>
    /// The modes of folders that interrupted runs opened to their owner, by path.
    /// </summary>
    public IReadOnlyDictionary<string, int> Modes() =>
        runs.SelectMany(run => run.Run.Modes)
            .GroupBy(mode => mode.Key)
            .ToDictionary(modes => modes.Key, modes => modes.First().Value);

    /// <summary>
    /// The partial file that an interrupted run left for a path; null if no run left one.
    /// </summary>
    public string? PartialOf(IRestoreTarget target, string path)
    {
        foreach ((_, EarlierRun run, _) in runs)
        {
            if (
                run.Partials.TryGetValue(path, out string? partial)

                // A file with a second name belongs to someone else too, so it is not continued.
                && target.Inspect(partial) is { Kind: TargetKind.File, LinkCount: 1 }
            )
            {
                return partial;
            }
        }

        return null;
    }

    /// <summary>
    /// Removes the partial files of paths that a plan includes, but not the partial files that the
    /// plan continues.
    /// </summary>
    public void RemovePartials(IRestoreTarget target, Predicate<string> isIncluded, IReadOnlySet<string> continued)
    {
        foreach ((string path, string partial) in runs.SelectMany(run => run.Run.Partials))
        {
            if (isIncluded(path) && !continued.Contains(partial))
            {
                // What stays is tried again by the next run.
                ExceptionReason.Attempt(() => RemovePartial(target, partial));
            }
        }
    }

    /// <summary>
    /// Removes the records after a run has ended well. Keeps a record if it names partial files
    /// outside of that run, or if one of its partial files cannot be removed.
    /// </summary>
    /// <returns>Why a record could not be removed; null if each could.</returns>
    public string? RemoveRecords(IRestoreTarget target, Predicate<string> isDone)
    {
        string? problem = null;
        foreach ((string record, EarlierRun run, _) in runs)
        {
            Exception? failure = ExceptionReason.Attempt(() =>
            {
                bool isNeeded = false;
                foreach ((string path, string partial) in run.Partials)
                {
                    if (isDone(path))
                    {
                        RemovePartial(target, partial);
                    }
                    else
                    {
                        isNeeded = isNeeded || target.Inspect(partial).Kind == TargetKind.File;
                    }
                }

                if (!isNeeded)
                {
                    target.DeleteFile(record);
                }
            });
            problem ??= failure is null
                ? null
                : $"The record of an interrupted restore could not be removed: {failure.Reason()}";
        }

        return problem;
    }

    public void Dispose()
    {
        runs.ForEach(run => ExceptionReason.Attempt(run.Lock.Dispose));
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
            string reason =
                $"The record of an interrupted restore cannot be found; unfinished files begin again: {failure.Reason()}";
            issues.Add(new RestoreIssue(IssueKind.Warning, target.Display(folder), reason));
            return [];
        }
    }

    private static void RemovePartial(IRestoreTarget target, string path)
    {
        // A run makes no folder under a partial name, so a folder of this name is not removed.
        if (target.Inspect(path).Kind is TargetKind.File or TargetKind.Symlink)
        {
            target.DeleteFile(path);
        }
    }

    private void Add(IRestoreTarget target, string folder, string name, IssueLog issues, bool isOwned)
    {
        string path = RecordNames.In(folder, name);
        ITargetFile? file = null;
        try
        {
            file = target.OpenFile(path, TargetOpenMode.Read);

            // The process that writes a record holds its lock until it ends, however it ends.
            bool isFree = file.TryLock() || isOwned;
            if (file.Length <= RecordFormat.MaxBytes && Read(file, name) is EarlierRun run)
            {
                if (!isFree)
                {
                    goingOn.Add((path, run));
                    return;
                }

                runs.Add((path, run, file));
                file = null;
                if (run.IsDamaged)
                {
                    Warn(
                        "The record of an interrupted restore is damaged: files that only its lost part names begin again",
                        IssueCode.None
                    );
                }

                return;
            }

            if (isFree)
            {
                Warn(
                    "The record of an interrupted restore cannot be used: it is something else",
                    IssueCode.RecordUnusable
                );
            }
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            Warn($"The record of an interrupted restore cannot be used: {failure.Reason()}", IssueCode.RecordUnusable);
        }
        finally
        {
            ExceptionReason.Attempt(() => file?.Dispose());
        }

        void Warn(string reason, IssueCode code) =>
            issues.Add(new RestoreIssue(IssueKind.Warning, target.Display(path), reason) { Code = code });
    }

    private static EarlierRun? Read(ITargetFile file, string name)
    {
        byte[] content = new byte[file.Length];
        return RecordFormat.Read(content.AsSpan(0, file.Read(0, content)), name);
    }
}
