using Restore.Writing.Messages;
using Restore.Writing.Processes;

namespace Restore.Writing;

/// <summary>
/// Writes one version: takes the lock, reads what the destination has, runs the network, verifies
/// the volumes, writes the file list last.
/// </summary>
internal sealed class WriterRun(WriterSettings given, BufferPool pool)
{
    private const string DefaultPrefix = "duplicati";

    // Clocks differ a little, and versions that are made in the same second follow each other.
    private static readonly TimeSpan LargestLead = TimeSpan.FromHours(1);

    private readonly BackupWriterOptions options = given.Options;
    private RestoreIssue[] missing = [];

    public async Task<BackupWriterReport> RunAsync(CancellationToken cancellationToken)
    {
        missing = [.. SourceChecks.Require(options)];
        SourceChecks.RequireDestination(options);
        using CancellationTokenSource beginning = CancellationTokenSource.CreateLinkedTokenSource(
            cancellationToken,
            options.StopToken
        );
        Destination destination = Destination.Open(options);
        await using (destination.ConfigureAwait(false))
        {
            IReadOnlyList<StoredFile> files = await destination.Sink.ListAsync(beginning.Token).ConfigureAwait(false);
            string prefix = ChoosePrefix(files, destination);

            // Checked before the lock is taken, because taking the lock creates the folder.
            DestinationRules.RequireSameEncryption(given with { Prefix = prefix }, VolumeSet.Of(files, prefix));
            if (options.DryRun)
            {
                return await RunAsync(destination, prefix, held: null, beginning.Token, cancellationToken)
                    .ConfigureAwait(false);
            }

            WriterLock held = await WriterLock
                .TakeAsync(destination.Sink, prefix, options.TimeProvider, options.BreakLock, beginning.Token)
                .ConfigureAwait(false);
            await using (held.ConfigureAwait(false))
            {
                return await RunAsync(destination, prefix, held, beginning.Token, cancellationToken)
                    .ConfigureAwait(false);
            }
        }
    }

    /// <param name="beginning">Cancels what comes before the first file is read.</param>
    private async Task<BackupWriterReport> RunAsync(
        Destination destination,
        string prefix,
        WriterLock? held,
        CancellationToken beginning,
        CancellationToken cancellationToken
    )
    {
        WriterMeter meter = new(options, () => destination.BytesWritten);
        ExistingBackup existing = await ReadExistingAsync(destination, prefix, beginning).ConfigureAwait(false);
        WriterSettings settings = existing.Settings with { Prefix = prefix };
        DateTimeOffset begun = ChooseTime(existing.NewestVersion);
        KnownBlocks known = new(existing.Blocks, existing.CopiedLists);
        BlockDeduplicator deduplicator = new(known);
        VolumeSealer sealer = new(settings, pool, begun);
        VolumeWriter writer = new(destination, sealer, pool, meter);
        await PutIndexesAsync(existing, destination, sealer, beginning).ConfigureAwait(false);
        ChangedFiles? changed = ChangedOf(existing);
        EntryCollector collector = new(new EntryTable(known, settings.Layout.BlockSizeBytes))
        {
            Found = changed is null ? null : [],
        };
        WriterNetwork network = new(settings, pool, begun, existing.Previous, meter, changed);
        NetworkProfile profile = await network
            .RunAsync(deduplicator, sealer, writer, collector, cancellationToken)
            .ConfigureAwait(false);
        changed?.AddRest(collector, meter);

        if (network.IsStopped && collector.Files == 0)
        {
            throw new OperationCanceledException("Stopped before a file was read", options.StopToken);
        }

        // Until here no file list refers to the new volumes.
        IReadOnlyCollection<string> there = await destination
            .VerifyAsync(existing.Used, held, cancellationToken)
            .ConfigureAwait(false);

        // A store that only takes new files has no lock: another run may have added a version
        // meanwhile, and its list must not be replaced.
        DateTimeOffset time = NewestOf(there, prefix) is { } added && added >= begun ? ChooseTime(added) : begun;
        bool isSame = collector.Same == collector.Entries.Count && collector.Entries.Count == existing.Previous?.Count;
        bool isEmpty = collector.Files == 0;
        bool isFirstAndEmpty =
            isEmpty && existing.NewestVersion is null && !collector.Issues.Any(issue => issue.IsLoss);
        bool isRepetition =
            options.SkipUnchanged && isSame && !network.IsStopped && (isEmpty || !existing.IsNewestPartial);
        string? list =
            isFirstAndEmpty || isRepetition
                ? null
                : await WriteListAsync(
                        settings,
                        destination,
                        collector.Entries,
                        time,
                        isFull: !isEmpty && !network.IsStopped,
                        cancellationToken
                    )
                    .ConfigureAwait(false);
        if (isFirstAndEmpty)
        {
            // Volumes without a version would look like a backup that lost its file lists.
            await destination.RemoveWrittenAsync(cancellationToken).ConfigureAwait(false);
        }

        meter.Report(isLast: true);
        return new BackupWriterReport
        {
            Time = list is not null && VolumeName.TryParse(list, out VolumeName name) ? name.Time : time,
            FileListName = options.DryRun ? null : list,
            Prefix = prefix,
            NothingChanged = list is null && !isFirstAndEmpty,
            HasNoFile = isEmpty,
            IsPartial = network.IsStopped,
            Files = collector.Files,
            UnchangedFiles = meter.FilesUnchanged,
            LeftOut = network.LeftOut,
            Folders = collector.Folders,
            Symlinks = collector.Symlinks,
            UnstoredModeBits = options.SkipMetadata ? null : collector.UnstoredModeBits,
            Bytes = collector.Bytes,
            BytesRead = meter.BytesRead,
            Blocks = deduplicator.Blocks,
            NewBlocks = deduplicator.NewBlocks,
            NewBlockBytes = deduplicator.NewBytes,
            BlockVolumes = writer.Volumes,
            BytesWritten = destination.BytesWritten,
            Elapsed = meter.Elapsed,
            StoredBytes = existing.StoredBytes + destination.BytesWritten,
            Issues =
            [
                .. missing,
                .. existing.Issues,
                .. IssuesOfTime(list, time, existing.NewestVersion),
                .. collector.Issues.OrderBy(issue => issue.Path, StringComparer.Ordinal),
            ],
            Profile = profile.Processes,
            Stages = profile.Stages,
        };
    }

    private async Task<ExistingBackup> ReadExistingAsync(
        Destination destination,
        string prefix,
        CancellationToken cancellationToken
    )
    {
        IReadOnlyList<StoredFile> files = await destination.Sink.ListAsync(cancellationToken).ConfigureAwait(false);
        if (!options.DryRun)
        {
            await PartialName.RemoveAsync(destination.Sink, prefix, files, cancellationToken).ConfigureAwait(false);
        }

        return await ExistingBackup
            .ReadAsync(given with { Prefix = prefix }, destination.Store, files, pool, cancellationToken)
            .ConfigureAwait(false);
    }

    /// <summary>
    /// Puts the missing index volumes of block volumes that an interrupted run left. From now on
    /// these are used like any other volume.
    /// </summary>
    private static async Task PutIndexesAsync(
        ExistingBackup existing,
        Destination destination,
        VolumeSealer sealer,
        CancellationToken cancellationToken
    )
    {
        foreach ((Volume volume, IndexedVolume indexed) in existing.Adopted)
        {
            NamedVolume index = sealer.SealIndex(indexed);
            using (index.Content)
            {
                await destination
                    .PutAsync(
                        trial => trial == 0 ? VolumeBlocks.IndexNameOf(volume) : sealer.NewIndexName(),
                        index.Content.Memory,
                        cancellationToken
                    )
                    .ConfigureAwait(false);
            }
        }
    }

    private async Task<string> WriteListAsync(
        WriterSettings settings,
        Destination destination,
        EntryTable entries,
        DateTimeOffset time,
        bool isFull,
        CancellationToken cancellationToken
    )
    {
        // Frees the idle buffers of the volumes first: the list needs about as much memory.
        pool.DropIdle();
        using PooledBuffer list = MakeFileList(settings, entries, time, isFull);

        // As in Duplicati, a list that could not be written gets a later time with its new name.
        return await destination
            .PutAsync(
                trial =>
                    VolumeName.FormatFileList(
                        settings.Prefix,
                        time.AddSeconds(trial),
                        ArchiveKind.Zip,
                        settings.Encryption
                    ),
                list.Memory,
                cancellationToken
            )
            .ConfigureAwait(false);
    }

    /// <summary>
    /// Null if all entries are looked at, because the options do not name changed paths, or there
    /// is no version that the new one can build on.
    /// </summary>
    private ChangedFiles? ChangedOf(ExistingBackup existing)
    {
        if (options.ChangedPaths is not { } changed || existing.Kept is not { } kept)
        {
            return null;
        }

        string? unstored =
            existing.Previous?.AreAllStored == true ? null : "not all of its blocks are in the volumes that are there";
        string? problem = existing.IsNewestPartial ? "it is partial" : kept.Problem ?? unstored;
        if (problem is not null)
        {
            missing =
            [
                .. missing,
                new RestoreIssue(
                    IssueKind.Warning,
                    options.Destination,
                    $"Everything was looked at, because the newest version cannot be built upon: {problem}"
                ),
            ];
            return null;
        }

        return new ChangedFiles(changed, options.DeletedPaths, kept.Entries);
    }

    private string ChoosePrefix(IEnumerable<StoredFile> files, Destination destination)
    {
        if (options.Prefix is { } asked)
        {
            return asked;
        }

        string[] there = [.. VolumeSet.PrefixesOf(files)];
        return there.Length switch
        {
            0 => DefaultPrefix,
            1 => there[0],
            _ => throw new RestoreException(
                RestoreErrorCode.SeveralBackups,
                $"The folder holds {there.Length} backups: {string.Join(", ", there)}",
                destination.DisplayName
            ),
        };
    }

    private static DateTimeOffset? NewestOf(IEnumerable<string> names, string prefix) =>
        names
            .Select(name =>
                VolumeName.TryParse(name, out VolumeName volume)
                && volume.Kind == VolumeKind.FileList
                && volume.Prefix == prefix
                    ? volume.Time
                    : (DateTimeOffset?)null
            )
            .Max();

    private DateTimeOffset ChooseTime(DateTimeOffset? newest)
    {
        DateTimeOffset time = WholeSeconds(options.Time ?? options.TimeProvider.GetUtcNow());
        if (newest is not { } before || time > before)
        {
            return time;
        }

        return options.Time is null && before < DateTimeOffset.MaxValue.AddMinutes(-1)
            ? before.AddSeconds(1)
            : throw new RestoreException(
                RestoreErrorCode.VersionTimeTooOld,
                $"The version cannot have the time {time:yyyy-MM-dd HH:mm:ss}Z, for the newest there is is of {before:yyyy-MM-dd HH:mm:ss}Z",
                options.Destination
            );
    }

    /// <summary>
    /// A version is later than the one before, so a clock that was wrong once gives wrong times to
    /// all that follow: they are not found by their real time, and are kept for longer.
    /// </summary>
    private IEnumerable<RestoreIssue> IssuesOfTime(string? list, DateTimeOffset time, DateTimeOffset? newest)
    {
        DateTimeOffset now = options.TimeProvider.GetUtcNow();
        if (list is not null && options.Time is null && time > now + LargestLead)
        {
            string reason =
                $"The newest version before is of {newest:yyyy-MM-dd HH:mm:ss}Z, in the future: this one has a time of the future too, as it must be later";
            yield return new RestoreIssue(IssueKind.Warning, list, reason);
        }
    }

    private static DateTimeOffset WholeSeconds(DateTimeOffset time) =>
        DateTimeOffset.FromUnixTimeSeconds(time.ToUnixTimeSeconds());

    /// <param name="isFull">Whether the version counts for retention. It does not if it has no
    /// file, which mostly means that a source was not mounted.</param>
    private PooledBuffer MakeFileList(WriterSettings settings, EntryTable entries, DateTimeOffset time, bool isFull)
    {
        // An entry's JSON has less than 1,000 bytes besides its path and blocklists; escaping a
        // path makes it at most six times as long.
        bool isLarge = (entries.Count * 1000L) + (entries.PathBytes * 6) >= uint.MaxValue;
        using FileListArchive archive = new(settings, pool, time, entries.ListedBytes);
        FileListWriter writer = archive.Begin(isFull, isLarge);
        entries.WriteTo(writer);
        writer.Finish();
        return archive.Finish();
    }
}
