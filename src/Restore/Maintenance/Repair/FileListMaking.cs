using Restore.Catalog.Database;
using Restore.Catalog.Locating;
using Restore.Maintenance.Purge;
using Restore.Writing;

namespace Restore.Maintenance.Repair;

/// <summary>
/// Writes the file lists of versions again that only the local database knows: somebody deleted the
/// lists, or the store lost them.
/// </summary>
/// <remarks>
/// In three steps: reads the entries of each such version from the database, looks in the index
/// volumes which of their blocks are still there, and writes a list for each version that has at
/// least one whole file. A version without any block left was most likely deleted by a program that
/// did not update the database; its list would only name losses. Files that were attached to a lost
/// list are not in the database and do not come back.
/// </remarks>
internal sealed class FileListMaking(
    MaintenanceContext context,
    DatabaseCatalog database,
    ProgressMeter progress,
    CancellationToken cancellationToken
)
{
    // An entry takes a few hundred bytes of JSON; from 4 GiB on, the zip archive needs its long
    // form from the beginning.
    private const int LikelyEntryBytes = 400;

    private readonly List<RestoreIssue> issues = [];
    private readonly List<StoredFile> put = [];

    /// <param name="sink">Where to write the lists; null to write nothing.</param>
    /// <exception cref="RestoreException">The database or an index volume cannot be read, or the
    /// store cannot be written.</exception>
    public async Task<FileListRepairReport> RunAsync(RetryingSink? sink, bool breaksLock)
    {
        BackupVersion[] versions =
        [
            .. database.Versions.Where(version => context.Volumes.Find(version.FileListName) is null),
        ];
        List<(BackupVersion Version, VersionContent Content)> sound = [];
        foreach (BackupVersion version in versions)
        {
            if (await ReadAsync(version).ConfigureAwait(false) is { } content)
            {
                sound.Add((version, content));
            }
        }

        if (sound.Count > 0)
        {
            ContentStates states = await LocateAsync(sound).ConfigureAwait(false);
            sound.RemoveAll(found => !IsWorthAList(found.Version, found.Content, states));
        }

        if (sink is not null && sound.Count > 0)
        {
            await WriteAsync(sink, sound, breaksLock).ConfigureAwait(false);
        }

        progress.Begin(RestorePhase.Done);
        return new FileListRepairReport
        {
            Versions = versions,
            Made = [.. put.Select(list => list.Name)],
            BytesFetched = progress.BytesFetched,
            BytesWritten = put.Sum(list => list.SizeBytes),
            Elapsed = progress.Elapsed,
            Issues = issues,
        };
    }

    private async Task<VersionContent?> ReadAsync(BackupVersion version)
    {
        progress.Begin(RestorePhase.ReadingFileList);
        try
        {
            VersionContent content = await database
                .ReadAsync(version, EntryFilter.All, observer: null, cancellationToken)
                .ConfigureAwait(false);
            CountingSink counted = new();
            ContentAsList list = new(content);
            list.PassTo(counted);
            RestoreIssue? unsound = content.Issues.ToList() is [var first, ..] ? first : null;
            string? reason =
                list.Unwritable is { } path ? $"the database does not know all blocks of {path}"
                : unsound is not null ? $"{unsound.Path}: {unsound.Reason}"
                : counted.Entries == 0 ? "the database has no entry of it"
                : null;
            if (reason is null)
            {
                return content;
            }

            LeaveOut(version, reason);
        }
        catch (RestoreException failure) when (failure.Code == RestoreErrorCode.DatabaseUnusable)
        {
            LeaveOut(version, failure.What);
        }

        return null;
    }

    private void LeaveOut(BackupVersion version, string reason) =>
        issues.Add(
            new RestoreIssue(
                IssueKind.Missing,
                version.FileListName,
                $"The file list of {version.Name} is not written again: {reason}"
            )
        );

    private async Task<ContentStates> LocateAsync(List<(BackupVersion Version, VersionContent Content)> sound)
    {
        long blockBytes = BlockBudget.BytesOf(context.Volumes);
        ReferencedBlocks references = new(
            sound[0].Content.Layout,
            BlockBudget.OfVolumes(blockBytes),
            BlockBudget.OfContents(blockBytes)
        )
        {
            MaxBlocklistBytes = context.MaxBlockBytes,
            Lists = [],
        };
        foreach ((_, VersionContent content) in sound)
        {
            new ContentAsList(content).PassTo(references);
        }

        IssueLog found = new();
        await context
            .SurveyAsync(context.Loader, references, context.Ranges, found, progress, cancellationToken)
            .ConfigureAwait(false);
        issues.AddRange(found.ToList());
        return ContentStates.OfRestore(references);
    }

    private bool IsWorthAList(BackupVersion version, VersionContent content, ContentStates states)
    {
        CountingSink counted = new() { States = states };
        new ContentAsList(content).PassTo(counted);

        // A version of folders and links only has no file to prove it, and is written.
        if (counted.Files > 0 && counted.WholeFiles == 0)
        {
            LeaveOut(version, "none of its files is whole any more, so the version was most likely deleted on purpose");
            return false;
        }

        if (counted.Lost > 0)
        {
            string what = counted.Lost == 1 ? "1 entry has lost blocks" : $"{counted.Lost:N0} entries have lost blocks";
            issues.Add(new RestoreIssue(IssueKind.Damaged, version.FileListName, what) { Code = IssueCode.BlocksLost });
        }

        return true;
    }

    private async Task WriteAsync(
        RetryingSink sink,
        List<(BackupVersion Version, VersionContent Content)> sound,
        bool breaksLock
    )
    {
        WriterLock held = await BackupState
            .LockAsync(sink, context, allowsNew: false, breaksLock, cancellationToken)
            .ConfigureAwait(false);
        await using (held.ConfigureAwait(false))
        {
            // The times of the lists to come, too: a list that takes another time after a failed try
            // must not take theirs.
            HashSet<DateTimeOffset> taken =
            [
                .. context.Volumes.FileLists.Select(list => list.Name.Time),
                .. sound.Select(found => found.Version.Time),
            ];
            foreach ((BackupVersion version, VersionContent content) in sound.OrderBy(found => found.Version.Time))
            {
                await WriteAsync(sink, version, content, taken).ConfigureAwait(false);
            }
        }
    }

    private async Task WriteAsync(
        RetryingSink sink,
        BackupVersion version,
        VersionContent content,
        HashSet<DateTimeOffset> taken
    )
    {
        EncryptionKind encryption = EncryptionOf(version);
        string? own =
            VolumeName.TryParse(version.FileListName, out VolumeName recorded)
            && recorded.IsWritable
            && recorded.Prefix == context.Volumes.Prefix
            && recorded.Kind == VolumeKind.FileList
            && recorded.Encryption == encryption
                ? version.FileListName
                : null;
        List<DateTimeOffset> times = [version.Time, .. PurgeWork.FreeTimes(version.Time, taken)];
        WriterSettings settings = context.SettingsOf(content.Layout, encryption != EncryptionKind.None);
        long likelyBytes = (long)content.Entries.Count * LikelyEntryBytes;
        using FileListArchive made = new(settings, context.Loader.Pool, context.Time.GetUtcNow(), likelyBytes);
        bool isFull = await database.IsFullAsync(version, cancellationToken).ConfigureAwait(false);
        FileListWriter writer = made.Begin(isFull, isLarge: likelyBytes >= uint.MaxValue / 4);
        new ContentAsList(content).PassTo(new WritingSink(writer));
        writer.Finish();
        using PooledBuffer bytes = made.Finish();
        string name = await sink.PutAsync(NameOf, bytes.Memory, cancellationToken).ConfigureAwait(false);
        put.Add(new StoredFile(name, bytes.Length));
        taken.Add(VolumeName.TryParse(name, out VolumeName written) ? written.Time : version.Time);

        // As in a backup, a list that could not be written gets another time.
        string NameOf(int trial) =>
            trial == 0 && own is not null
                ? own
                : VolumeName.FormatFileList(
                    context.Volumes.Prefix,
                    times[Math.Min(trial, times.Count - 1)],
                    ArchiveKind.Zip,
                    encryption
                );
    }

    /// <summary>
    /// Returns the encryption of the lost list: by its name in the database or, failing that, by
    /// the existing volumes.
    /// </summary>
    private EncryptionKind EncryptionOf(BackupVersion version) =>
        VolumeName.TryParse(version.FileListName, out VolumeName name) && name.IsWritable ? name.Encryption
        : context.Volumes.All.Any(volume => volume.Name.Encryption != EncryptionKind.None) ? EncryptionKind.Aes
        : EncryptionKind.None;

    private sealed class CountingSink : IFileListSink
    {
        public ContentStates? States { get; init; }

        public long Entries { get; private set; }

        public long Files { get; private set; }

        public long WholeFiles { get; private set; }

        public long Lost { get; private set; }

        public void Entry(in FileListEntry entry)
        {
            Entries++;
            if (States is null)
            {
                return;
            }

            bool isWhole = States.ContentOf(entry) != ContentState.Lost;
            bool hasContent = entry.Kind.IsFile() && entry.SizeBytes > 0;
            Files += hasContent ? 1 : 0;
            WholeFiles += hasContent && isWhole ? 1 : 0;
            Lost += isWhole && States.MetadataOf(entry) != ContentState.Lost ? 0 : 1;
        }

        public void Unusable(string path, string reason) { }
    }

    private sealed class WritingSink(FileListWriter writer) : IFileListSink
    {
        public void Entry(in FileListEntry entry) => writer.Add(entry);

        public void Unusable(string path, string reason) { }
    }
}
