using Restore.Catalog.Locating;
using Restore.Maintenance.Check;
using Restore.Maintenance.Compact;
using Restore.Writing;
using Restore.Writing.Messages;

namespace Restore.Maintenance.Repair;

/// <summary>
/// Looks for blocks that are in no volume in the local files that were backed up, and writes those
/// that it finds into new volumes. Every block is verified by its hash, so a file that has changed
/// since gives only what is still the same.
/// </summary>
/// <remarks>
/// In three steps: reads all file lists and index volumes, as a check does; collects the paths of
/// all entries with a lost block or lost metadata, in any version; and reads what is at these paths
/// now. The blocks of a lost blocklist become known when a file turns out to have that blocklist.
/// Nothing of the backup is changed or deleted.
/// </remarks>
internal sealed class BlockMaking(
    MaintenanceContext context,
    string? root,
    ProgressMeter progress,
    CancellationToken cancellationToken
)
{
    private const int MaxUnreadableNamed = 1000;

    private readonly IssueLog issues = new();
    private readonly Dictionary<string, bool> candidates = new(StringComparer.Ordinal);
    private long unreadable;

    /// <param name="sink">Where to write the new volumes; null to search only.</param>
    /// <exception cref="RestoreException">No file list can be read, the passphrase is wrong, or the
    /// store cannot be written.</exception>
    public async Task<BlockRepairReport> RunAsync(RetryingSink? sink, bool breaksLock)
    {
        // The issues of the check are dropped: what is still lost is counted after the search.
        BackupCheck check = new(context, new IssueLog(), progress, cancellationToken) { KeepsLists = true };
        await check.RunAsync().ConfigureAwait(false);
        ReferencedBlocks references = check.References;
        await CollectAsync(ContentStates.OfRestore(references)).ConfigureAwait(false);

        LostBlocks lost = new(references);
        VolumeSaver? saver = null;
        long files = 0;
        if (candidates.Count > 0)
        {
            (saver, files) = await SearchAsync(lost, sink, breaksLock).ConfigureAwait(false);
        }

        progress.Begin(RestorePhase.Done);
        return new BlockRepairReport
        {
            LostBlocks = references.LostBlocks,
            FoundBlocks = lost.FoundCount,
            FoundBytes = lost.FoundBytes,
            FilesRead = files,
            Made = [.. (saver?.Saved ?? []).Select(file => file.Name).Order(StringComparer.Ordinal)],
            BytesFetched = progress.BytesFetched,
            BytesWritten = (saver?.Saved ?? []).Sum(file => file.SizeBytes),
            Elapsed = progress.Elapsed,
            Issues = [.. issues.ToList(), .. StillLost(references, lost)],
        };
    }

    private IEnumerable<RestoreIssue> StillLost(ReferencedBlocks references, LostBlocks lost)
    {
        if (unreadable > MaxUnreadableNamed)
        {
            string what = $"{unreadable - MaxUnreadableNamed:N0} more local files could not be read";
            yield return new RestoreIssue(IssueKind.Warning, context.Location, what);
        }

        // A blocklist that was found names blocks that could not be counted before it was, so of
        // these numbers only zero is certain.
        long left = references
            .Unlocated()
            .Count(block => lost.IsWanted(references.HashOf(block), references.SizeOf(block)));
        if (left > 0)
        {
            string what =
                left == 1
                    ? "1 block that entries need is in no volume and in no local file"
                    : $"{left:N0} blocks that entries need are in no volume and in no local file";
            yield return new RestoreIssue(IssueKind.Damaged, context.Location, what) { Code = IssueCode.BlocksLost };
        }
    }

    /// <summary>
    /// Collects the paths of entries that lack something, by whether their content lacks a block.
    /// </summary>
    private async Task CollectAsync(ContentStates states)
    {
        FileListReading reading = new(context.Loader, context.Volumes);
        IReadOnlyList<Volume> lists = context.Volumes.FileLists;
        for (int index = 0; index < lists.Count; index++)
        {
            BackupVersion version = new(index, lists[index].Name.Time, lists[index].FileName);
            try
            {
                await reading
                    .ReadIntoAsync(
                        lists[index],
                        version,
                        _ => new Collector(states, candidates),
                        isChecked: false,
                        cancellationToken
                    )
                    .ConfigureAwait(false);
            }
            catch (RestoreException failure) when (FileListReading.IsUnusable(failure))
            {
                issues.Add(new RestoreIssue(IssueKind.Missing, version.FileListName, failure.What));
            }
        }
    }

    private async Task<(VolumeSaver? Saver, long Files)> SearchAsync(
        LostBlocks lost,
        RetryingSink? sink,
        bool breaksLock
    )
    {
        long files = 0;

        // Found while they are enumerated, so only the blocks of one new volume are in memory.
        IEnumerable<List<AddedBlock>> groups = AddedBlocks.InVolumes(FindIn(lost, () => files++));
        if (sink is null)
        {
            foreach (List<AddedBlock> _ in groups)
            {
                cancellationToken.ThrowIfCancellationRequested();
            }

            return (null, files);
        }

        WriterLock held = await BackupState
            .LockAsync(sink, context, allowsNew: false, breaksLock, cancellationToken)
            .ConfigureAwait(false);
        await using (held.ConfigureAwait(false))
        {
            VolumeName like = context
                .Volumes.FileLists.Select(list => list.Name)
                .FirstOrDefault(name => name.IsWritable);
            bool isEncrypted = like.IsWritable
                ? like.Encryption != EncryptionKind.None
                : context.Volumes.All.Any(volume => volume.Name.Encryption != EncryptionKind.None);
            WriterSettings settings = context.SettingsOf(lost.Layout, isEncrypted);
            DateTimeOffset now = context.Time.GetUtcNow();
            VolumeSaver saver = new(settings, context.Loader.Pool, now, sink);
            foreach (List<AddedBlock> blocks in groups)
            {
                VolumeBuilt built = AddedBlocks.Build(settings, context.Loader.Pool, now, blocks);
                await saver.SaveAsync(built, cancellationToken).ConfigureAwait(false);
            }

            return (saver, files);
        }
    }

    private IEnumerable<AddedBlock> FindIn(LostBlocks lost, Action countFile)
    {
        SourceBlocks source = new(lost);
        foreach (
            (string path, bool lacksContent) in candidates.OrderBy(candidate => candidate.Key, StringComparer.Ordinal)
        )
        {
            cancellationToken.ThrowIfCancellationRequested();
            string local = PlaceOf(path);
            foreach (
                AddedBlock block in Guarded(local, () => lacksContent && IsFile(local) ? source.OfContent(local) : [])
            )
            {
                yield return block;
            }

            foreach (AddedBlock block in Guarded(local, () => source.OfMetadata(local)))
            {
                yield return block;
            }

            countFile();
        }
    }

    private string PlaceOf(string path)
    {
        if (root is null)
        {
            return Path.TrimEndingDirectorySeparator(path);
        }

        // A Windows path is below the letter of its drive, as in a restore to one folder.
        string relative = path.StartsWith('/') ? path : path.Replace('\\', '/');
        return Path.Join(root, (relative is [_, ':', ..] ? relative.Remove(1, 1) : relative).Trim('/'));
    }

    private static bool IsFile(string path) => SourceStatusOf(path) == EntryKind.File;

    private static EntryKind? SourceStatusOf(string path) => Writing.Source.SourceStatus.Read(path).Kind;

    /// <summary>
    /// Ends with the first failure of a file; what was found before stays found. A file that no
    /// longer exists is not a failure.
    /// </summary>
    private IEnumerable<AddedBlock> Guarded(string path, Func<IEnumerable<AddedBlock>> find)
    {
        IEnumerator<AddedBlock>? blocks = null;
        try
        {
            while (true)
            {
                AddedBlock next;
                try
                {
                    blocks ??= find().GetEnumerator();
                    if (!blocks.MoveNext())
                    {
                        yield break;
                    }

                    next = blocks.Current;
                }
                catch (Exception failure) when (failure is FileNotFoundException or DirectoryNotFoundException)
                {
                    yield break;
                }
                catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
                {
                    NoteUnreadable(path, failure);
                    yield break;
                }

                yield return next;
            }
        }
        finally
        {
            blocks?.Dispose();
        }
    }

    private void NoteUnreadable(string path, Exception failure)
    {
        if (unreadable++ < MaxUnreadableNamed)
        {
            issues.Add(
                new RestoreIssue(IssueKind.Warning, path, $"It cannot be searched for lost blocks: {failure.Reason()}")
            );
        }
    }

    private sealed class Collector(ContentStates states, Dictionary<string, bool> candidates) : IFileListSink
    {
        public void Entry(in FileListEntry entry)
        {
            bool lacksContent = states.ContentOf(entry) != ContentState.There;
            if (lacksContent || states.MetadataOf(entry) != ContentState.There)
            {
                string path = Encoding.UTF8.GetString(entry.Path);

                // A path can be in many versions. If one of them lacks content, the whole file is
                // read.
                candidates[path] = lacksContent || candidates.GetValueOrDefault(path);
            }
        }

        public void Unusable(string path, string reason) { }
    }
}
