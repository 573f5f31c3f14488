using Restore.Catalog.Locating;
using Restore.Maintenance.Compact;
using Restore.Writing;

namespace Restore.Maintenance.Purge;

/// <summary>
/// Executes the plan of a purge: writes all new file lists, checks that the store has them, and
/// only then deletes the old ones. Whenever it is interrupted, what can be restored of a version is
/// in one of its two lists, or in both.
/// </summary>
internal sealed class PurgeRun(
    MaintenanceContext context,
    RetryingSink sink,
    ProgressMeter progress,
    CancellationToken cancellationToken
)
{
    private const long MaxAttachedBytes = 64 << 20;

    // Deflate shrinks data to at most a 1,032nd of its length, so from this length on a list can
    // decode to 4 GiB.
    private const long LargeBytes = 4_000_000;

    private static ReadOnlySpan<byte> Attached => "extra/"u8;

    private readonly HashSet<string> named = new(StringComparer.Ordinal);
    private readonly HashSet<DateTimeOffset> taken = [];
    private readonly List<StoredFile> put = [];

    /// <exception cref="RestoreException">The store cannot be changed, another program writes to
    /// it, or the backup has changed.</exception>
    public async Task<PurgeReport> RunAsync(PurgePlan plan, ContentStates losses, bool breaksLock)
    {
        WriterLock held = await BackupState
            .LockAsync(sink, context, allowsNew: false, breaksLock, cancellationToken)
            .ConfigureAwait(false);
        await using (held.ConfigureAwait(false))
        {
            taken.UnionWith(context.Volumes.FileLists.Select(list => list.Name.Time));
            List<ReplacedFileList> replaced = [];
            List<RestoreIssue> stays = [];
            await PutAddedAsync(plan, losses).ConfigureAwait(false);
            foreach (
                PurgedVersion version in plan
                    .Versions.Where(version => version.StaysBecause is null)
                    .OrderBy(version => version.Version.Time)
            )
            {
                if (
                    (version.NewFileListName ?? await MakeAsync(version.Version, losses).ConfigureAwait(false)) is
                    { } name
                )
                {
                    replaced.Add(new ReplacedFileList(version.Version.FileListName, name));
                }
                else
                {
                    stays.Add(PurgeWork.Stays(version.Version, PurgeWork.NoFreeTime));
                }
            }

            await BackupState
                .RequirePutAsync(sink, context.Volumes, put, named.Contains, cancellationToken)
                .ConfigureAwait(false);
            foreach (ReplacedFileList list in replaced)
            {
                await context.Volumes.DeleteAsync(sink, list.Deleted, cancellationToken).ConfigureAwait(false);
            }

            progress.Begin(RestorePhase.Done);
            return new PurgeReport
            {
                Replaced = replaced,
                BytesFetched = progress.BytesFetched,
                BytesWritten = put.Sum(list => list.SizeBytes),
                Elapsed = progress.Elapsed,
                Issues = [.. plan.Remaining, .. stays],
            };
        }
    }

    /// <summary>
    /// Puts into a volume what the new lists refer to and no volume has yet: the metadata that
    /// replaces lost metadata, the block of zeros, and blocklists that index volumes have copies
    /// of. Runs before the lists are written.
    /// </summary>
    private async Task PutAddedAsync(PurgePlan plan, ContentStates losses)
    {
        if (!plan.IsNeeded)
        {
            return;
        }

        VolumeName like = context.Volumes.FileLists.Select(list => list.Name).First(name => name.IsWritable);
        WriterSettings settings = context.SettingsOf(losses.Layout, like.Encryption != EncryptionKind.None);
        DateTimeOffset now = context.Time.GetUtcNow();
        VolumeSaver saver = new(settings, context.Loader.Pool, now, sink);
        bool needsMetadata = plan.Versions.Any(version => version is { StaysBecause: null, WithoutMetadata: > 0 });
        foreach (List<AddedBlock> blocks in AddedBlocks.InVolumes(AddedBlocks.LackingIn(losses, needsMetadata)))
        {
            await saver
                .SaveAsync(AddedBlocks.Build(settings, context.Loader.Pool, now, blocks), cancellationToken)
                .ConfigureAwait(false);
        }

        put.AddRange(saver.Saved);
        named.UnionWith(saver.Named);
    }

    /// <summary>Writes the list of a version without what is lost.</summary>
    /// <returns>Its name; null if the new lists before it took the last free second.</returns>
    private async Task<string?> MakeAsync(BackupVersion version, ContentStates losses)
    {
        Volume list = context.Volumes.Find(version.FileListName)!;
        EncryptionKind encryption = list.Name.Encryption;
        List<DateTimeOffset> times = PurgeWork.FreeTimes(version.Time, taken);
        if (times.Count == 0)
        {
            return null;
        }

        WriterSettings settings = context.SettingsOf(losses.Layout, encryption != EncryptionKind.None);
        DateTimeOffset now = context.Time.GetUtcNow();
        FileListArchive? made = null;
        FileListWriter? writer = null;
        try
        {
            await new FileListReading(context.Loader, context.Volumes)
                .ReadIntoAsync(list, version, Open, isChecked: true, cancellationToken)
                .ConfigureAwait(false);
            writer!.Finish();
            using PooledBuffer content = made!.Finish();
            string name = await sink.PutAsync(NameOf, content.Memory, cancellationToken).ConfigureAwait(false);
            put.Add(new StoredFile(name, content.Length));
            taken.Add(VolumeName.TryParse(name, out VolumeName parsed) ? parsed.Time : version.Time);
            return name;
        }
        finally
        {
            made?.Dispose();
        }

        IFileListSink Open(OpenedList from)
        {
            made?.Dispose();
            made = new FileListArchive(settings, context.Loader.Pool, now, list.SizeBytes);
            using Archive old = context.Loader.OpenArchive(list, from.Plain);
            writer = Begin(made, list, old, from.IsFullBackup);
            return new PurgedList(losses, writer);
        }

        string NameOf(int trial)
        {
            // As in a backup, a list that could not be written gets another time.
            string name = VolumeName.FormatFileList(
                context.Volumes.Prefix,
                times[Math.Min(trial, times.Count - 1)],
                ArchiveKind.Zip,
                encryption
            );
            named.Add(name);
            return name;
        }
    }

    /// <summary>
    /// Takes over what is in the old list besides the entries: attached files, and whether its
    /// backup was completed.
    /// </summary>
    private static FileListWriter Begin(FileListArchive made, Volume list, Archive old, bool isFull)
    {
        while (old.MoveNext(out ArchiveEntry entry))
        {
            if (old.NameOf(entry).StartsWith(Attached))
            {
                using Stream content = old.Open(entry, MaxAttachedBytes);
                made.Attach(Encoding.UTF8.GetString(old.NameOf(entry)), content);
            }
        }

        return made.Begin(isFull, isLarge: list.SizeBytes >= LargeBytes);
    }
}
