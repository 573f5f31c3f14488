namespace Restore.Shards;

/// <summary>
/// A restore on several machines: each restores one part (a shard) of a saved plan into a target
/// that all of them share, and a last step finishes what belongs to several parts. The machines do
/// not know each other. Files next to the plan say what is done, so the folder of the plan must be
/// shared too. Any shard may be restored several times, at the same time, or be killed; the last
/// step may be done again. Immutable and safe for concurrent use.
/// </summary>
public sealed class ShardedRestore
{
    private ShardedRestore(string planFile, RestorePlan plan, ShardFiles files)
    {
        PlanFile = planFile;
        Plan = plan;
        Files = files;
    }

    /// <summary>The file of the plan.</summary>
    public string PlanFile { get; }

    /// <summary>The plan.</summary>
    public RestorePlan Plan { get; }

    /// <summary>How long to wait for the heartbeat of another machine.</summary>
    internal LeaseTiming Timing { get; private init; } = LeaseTiming.Default;

    internal ShardFiles Files { get; }

    /// <summary>Reads a plan that <see cref="RestorePlan.SaveAsync"/> wrote to a file.</summary>
    /// <param name="planFile">The file.</param>
    /// <param name="cancellationToken">Cancels before the plan is read.</param>
    /// <exception cref="RestoreException">The file does not exist, is not a plan, is damaged, or is
    /// the plan of a drill.</exception>
    public static Task<ShardedRestore> LoadAsync(string planFile, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return new OwnThreads().RunAsync(() => Load(planFile));
    }

    /// <summary><see cref="LoadAsync"/> on the thread of the caller.</summary>
    internal static ShardedRestore Load(string planFile)
    {
        ArgumentException.ThrowIfNullOrEmpty(planFile);
        if (SpecialFile.IsPipe(planFile))
        {
            throw new RestoreException(
                RestoreErrorCode.PlanDamaged,
                "The plan is a pipe or a device, and not a file",
                planFile
            );
        }

        try
        {
            using FileStream stream = new(planFile, FileMode.Open, FileAccess.Read, FileShare.Read, bufferSize: 0);
            RestorePlan plan = RestorePlan.Load(stream);
            byte[] checksum = new byte[SHA256.HashSizeInBytes];
            stream.Position = stream.Length - checksum.Length;
            stream.ReadExactly(checksum);
            return plan.Options.VerifyOnly
                ? throw new RestoreException(
                    RestoreErrorCode.PlanDamaged,
                    "The plan is one of a drill, which cannot be split",
                    planFile
                )
                : new ShardedRestore(planFile, plan, new ShardFiles(planFile, Convert.ToHexStringLower(checksum)));
        }
        catch (RestoreException failure) when (failure.Where is null)
        {
            throw new RestoreException(failure.Code, failure.What, planFile, failure);
        }
        catch (Exception failure) when (failure is FileNotFoundException or DirectoryNotFoundException)
        {
            throw new RestoreException(RestoreErrorCode.LocationNotFound, "There is no such file", planFile, failure);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new RestoreException(
                RestoreErrorCode.PlanDamaged,
                $"The plan cannot be read: {failure.Reason()}",
                planFile,
                failure
            );
        }
    }

    /// <summary>The number of shards.</summary>
    /// <param name="given">The number that the caller was given. Null uses the number in the plan
    /// or in the records of restored shards.</param>
    /// <param name="cancellationToken">Cancels before the records are read.</param>
    /// <exception cref="RestoreException">The number differs from the plan, or no number is
    /// known.</exception>
    public Task<int> CountAsync(int? given = null, CancellationToken cancellationToken = default)
    {
        cancellationToken.ThrowIfCancellationRequested();
        return new OwnThreads().RunAsync(() => CountOf(given));
    }

    /// <summary><see cref="CountAsync"/> on the thread of the caller.</summary>
    internal int CountOf(int? given) =>
        (given ?? (Plan.Shards is null ? Files.CountOfRecords() : null), Plan.Shards) switch
        {
            (null, null) => throw new RestoreException(
                RestoreErrorCode.ShardCountWrong,
                "The plan has no number of shards, and none was given",
                PlanFile
            ),
            (int count, int planned) when count != planned => throw new RestoreException(
                RestoreErrorCode.ShardCountWrong,
                $"The plan has {planned} shards, not {count}",
                PlanFile
            ),
            (int count, null) when count is < 1 or > RestorePlan.MaxShards => throw new RestoreException(
                RestoreErrorCode.ShardCountWrong,
                $"A plan cannot have {count} shards: the range is 1 to {RestorePlan.MaxShards}",
                PlanFile
            ),
            (int count, _) => count,
            (null, int planned) => planned,
        };

    /// <summary>
    /// Restores a shard; does nothing if it is restored already without a loss and its files are
    /// still there. Waits while another process restores the same shard.
    /// </summary>
    /// <param name="backup">The backup that the plan was made for; new versions do not matter, and
    /// a volume that is gone is a loss as in any restore.</param>
    /// <param name="shard">The number of the shard, from 1 on.</param>
    /// <param name="count">The number of shards; null uses the number in the plan.</param>
    /// <param name="options">Listeners, tuning, what follows at the end, and the token for a
    /// graceful stop.</param>
    /// <param name="cancellationToken">Stops immediately; unfinished files stay, to be
    /// continued.</param>
    /// <returns>The report of the shard. Links, times of folders and files that several shards
    /// write are missing in it: the last step has them.</returns>
    /// <exception cref="RestoreException">The shard failed, or plan, backup, number of shards and
    /// what is beside the plan do not fit together.</exception>
    /// <exception cref="OperationCanceledException">The restore was stopped or
    /// cancelled.</exception>
    public async Task<RestoreReport> RunAsync(
        Backup backup,
        int shard,
        int? count = null,
        ExecuteOptions? options = null,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(backup);
        if (options?.Legacy == true)
        {
            throw new RestoreException(
                RestoreErrorCode.OptionInvalid,
                "The legacy flow cannot restore a shard: it writes whole files only",
                PlanFile
            );
        }

        int all = await CountAsync(count, cancellationToken).ConfigureAwait(false);
        if (shard < 1 || shard > all)
        {
            throw new RestoreException(
                RestoreErrorCode.ShardCountWrong,
                $"There is no shard {shard}, only 1 to {all}",
                PlanFile
            );
        }

        options ??= new ExecuteOptions();
        ShardRun run = new(Plan, Files, shard, all) { Timing = Timing };
        return await RestoreTelemetry
            .WatchAsync(
                "Execute",
                _ =>
                    run.RunAsync(
                        backup.Session,
                        options,
                        backup.StartMeter(options.Progress),
                        backup.CompleteAsync,
                        cancellationToken
                    )
            )
            .ConfigureAwait(false);
    }

    /// <summary>Reads the records of all shards.</summary>
    /// <param name="count">The number of shards; null uses the number in the plan.</param>
    /// <param name="cancellationToken">Cancels before the records are read.</param>
    /// <returns>The status of each shard, by number.</returns>
    /// <exception cref="RestoreException">A record is damaged, or belongs to another plan or
    /// another number of shards.</exception>
    public Task<IReadOnlyList<ShardStatus>> GetStatusAsync(
        int? count = null,
        CancellationToken cancellationToken = default
    )
    {
        cancellationToken.ThrowIfCancellationRequested();
        return new OwnThreads().RunAsync(() => Look(count));
    }

    /// <summary><see cref="GetStatusAsync"/> on the thread of the caller.</summary>
    internal IReadOnlyList<ShardStatus> Look(int? count = null) =>
        [
            .. Enumerable
                .Range(1, CountOf(count))
                .Select(shard =>
                    Files.Read(shard, CountOf(count)) is not { } record
                        ? new ShardStatus(shard, ShardState.Open, null)
                        : new ShardStatus(
                            shard,
                            record.Failure is null ? ShardState.Done : ShardState.Failed,
                            record.Failure
                        )
                        {
                            IsIncomplete = record.HasLosses,
                        }
                ),
        ];

    /// <summary>
    /// The last step, when all shards are restored: checks that their files still exist (and reads
    /// them, with <see cref="ExecuteOptions.VerifyAfter"/>), verifies files that several shards
    /// wrote, makes links, sets the metadata of folders, and adds up the reports. It reads nothing
    /// from the backup. Waits while another process does the last step.
    /// </summary>
    /// <param name="count">The number of shards; null uses the number in the plan.</param>
    /// <param name="options">Listeners, and what follows at the end.</param>
    /// <param name="time">The clock; null for the system's.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The report of the whole restore: the same as for a single run, except for the bytes
    /// fetched and the time taken.</returns>
    /// <exception cref="RestoreException">Shards are missing or failed, or did not write into this
    /// target; or the target cannot be written.</exception>
    public async Task<RestoreReport> FinishAsync(
        int? count = null,
        ExecuteOptions? options = null,
        TimeProvider? time = null,
        CancellationToken cancellationToken = default
    )
    {
        int all = await CountAsync(count, cancellationToken).ConfigureAwait(false);
        _ = await new OwnThreads().RunAsync(() => RecordsOf(all)).ConfigureAwait(false);
        options ??= new ExecuteOptions();
        time ??= TimeProvider.System;
        ProgressMeter progress = new(time);
        progress.Listen(options.Progress);
        using ShardLease lease = (
            await Files.TakeLeaseAsync(0, Timing, () => false, progress, time, cancellationToken).ConfigureAwait(false)
        )!;
        using CancellationTokenSource ending = CancellationTokenSource.CreateLinkedTokenSource(
            cancellationToken,
            lease.Lost
        );
        try
        {
            IReadOnlyList<ShardRecord> records = await new OwnThreads()
                .RunAsync(() => RecordsOf(all))
                .ConfigureAwait(false);
            return await new ShardFinish(Plan, Files, records)
                .RunAsync(options, progress, time, ending.Token)
                .ConfigureAwait(false);
        }
        catch (OperationCanceledException)
            when (lease.Lost.IsCancellationRequested && !cancellationToken.IsCancellationRequested)
        {
            throw new RestoreException(
                RestoreErrorCode.ShardTaken,
                "The last step was taken over by another process, because this one gave no sign of life",
                PlanFile
            );
        }
        finally
        {
            lease.End();
        }
    }

    /// <summary>The same restore with another timing of leases.</summary>
    internal ShardedRestore With(LeaseTiming timing) => new(PlanFile, Plan, Files) { Timing = timing };

    /// <summary>The records of all shards.</summary>
    /// <exception cref="RestoreException">Shards are missing or failed.</exception>
    private IReadOnlyList<ShardRecord> RecordsOf(int all)
    {
        ShardRecord?[] records = [.. Enumerable.Range(1, all).Select(shard => Files.Read(shard, all))];
        int[] open = [.. Enumerable.Range(1, all).Where(shard => records[shard - 1] is not { Report: not null })];
        if (open.Length == 0)
        {
            return records!;
        }

        string failures = string.Concat(
            records
                .Where(record => record?.Failure is not null)
                .Select(record => $"; shard {record!.Shard} failed: {record.Failure}")
        );
        throw new RestoreException(
            RestoreErrorCode.ShardsMissing,
            $"{open.Length} of {all} shards are not restored: {string.Join(", ", open.Take(20))}{failures}",
            PlanFile
        );
    }
}
