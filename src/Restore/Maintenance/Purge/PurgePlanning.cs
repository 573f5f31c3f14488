using Restore.Catalog.Locating;
using Restore.Maintenance.Check;

namespace Restore.Maintenance.Purge;

/// <summary>
/// Finds the entries, in all versions, that need blocks that no volume has. Changes nothing.
/// </summary>
internal sealed class PurgePlanning(
    MaintenanceContext context,
    IReadOnlyList<BackupVersion> versions,
    ProgressMeter progress,
    CancellationToken cancellationToken
)
{
    private readonly IssueLog issues = new();

    /// <exception cref="RestoreException">It is not certain what is lost, no file list can be read,
    /// or the passphrase is wrong.</exception>
    public async Task<(PurgePlan Plan, ContentStates Losses)> PlanAsync()
    {
        BackupCheck check = new(context, issues, progress, cancellationToken) { KeepsLists = true };
        await check.RunAsync().ConfigureAwait(false);
        ContentStates losses = ContentStates.OfRestore(check.References);
        List<Looked> looked = [];
        if (check.References.LostBlocks > 0)
        {
            RequireCertain(check);
            looked = await LookAsync(losses).ConfigureAwait(false);
        }

        PurgedVersion[] purged = [.. looked.Where(list => !list.Content.IsSame).Select(list => FateOf(list, looked))];
        RestoreIssue[] all = [.. issues.ToList()];
        progress.Begin(RestorePhase.Done);
        PurgePlan plan = new()
        {
            Versions = purged,
            LostBlocks = check.References.LostBlocks,
            LostListsKnown = looked.Exists(list => list.Volume.Name.IsWritable)
                ? losses.ListsWithoutVolume().LongCount()
                : 0,
            BytesFetched = progress.BytesFetched,
            Issues = all,
            Remaining =
            [
                .. all.Where(issue => issue.Path != context.Location),
                .. purged
                    .Where(version => version.StaysBecause is not null)
                    .Select(version => PurgeWork.Stays(version.Version, version.StaysBecause!)),
                .. looked
                    .Where(list => list.Content.Unknown > 0)
                    .Select(list => new RestoreIssue(
                        IssueKind.Damaged,
                        list.Version.FileListName,
                        $"{list.Content.Unknown:N0} entries stay in it though a list of their blocks cannot be read: a volume should have it"
                    )),
            ],
        };
        return (plan, losses);
    }

    /// <summary>
    /// A block that is not found only because something cannot be read now is not lost.
    /// </summary>
    private void RequireCertain(BackupCheck check)
    {
        string? unknown =
            check.Uncertainty() is { } uncertain ? uncertain
            : context.Volumes.StandIn(kind => kind != VolumeKind.FileList) is { } standIn ? standIn
            : context.Volumes.Blocks.FirstOrDefault(volume => volume.IsMissing) is { } absent
                ? $"{absent.FileName} is missing, and has a parity file, which may restore it"
            : check.Survey.Unreadable.Count > 0
                ? $"{context.Volumes.All[check.Survey.Unreadable.Min(volume => volume.Value)].FileName} cannot be read"
            : context.Volumes.Blocks.FirstOrDefault(volume => volume is { IsMissing: false, SizeBytes: 0 }) is { } empty
                ? $"{empty.FileName} is empty: it may be a placeholder of a cloud's client, or a link to what is not mounted"
            : check.Survey.Undescribed.FirstOrDefault(volume => check.Survey.ListedInPart.Contains(volume.Id))
                is { } cut
                ? $"{cut.FileName} is damaged, and no index volume says what was in it"
            : null;
        if (unknown is not null)
        {
            throw new RestoreException(
                RestoreErrorCode.LossesUnknown,
                $"It is not certain which blocks are lost, so no file list is changed: {unknown}",
                context.Location
            );
        }
    }

    private async Task<List<Looked>> LookAsync(ContentStates losses)
    {
        List<Looked> looked = [];
        FileListReading reading = new(context.Loader, context.Volumes);
        foreach (BackupVersion version in versions)
        {
            Volume list = context.Volumes.FileLists[version.Index];
            using SHA256 hash = SHA256.Create();

            // The new list is written to nowhere: its hash shows whether an interrupted purge has
            // already made it.
            using CryptoStream bytes = new(Stream.Null, hash, CryptoStreamMode.Write);
            FileListWriter writer = new(bytes, losses.Layout);
            PurgedList content = new(losses, writer);
            bool isFull = true;
            try
            {
                await reading
                    .ReadIntoAsync(list, version, Open, isChecked: true, cancellationToken)
                    .ConfigureAwait(false);
                writer.Finish();
                bytes.FlushFinalBlock();
                looked.Add(new Looked(list, version, content, isFull, hash.Hash!));
            }
            catch (RestoreException failure) when (FileListReading.IsUnusable(failure))
            {
                // The check has reported it. It stays as it is.
            }

            IFileListSink Open(OpenedList opened)
            {
                isFull = opened.IsFullBackup;
                return content;
            }
        }

        return looked;
    }

    private static PurgedVersion FateOf(Looked list, List<Looked> all)
    {
        // A purge that was interrupted has made the new list, and not deleted the old one.
        Looked? made = all.Find(other =>
            other.Content.IsSame
            && other.IsFull == list.IsFull
            && other.Digest.AsSpan().SequenceEqual(list.Digest)
            && (other.Version.Time - list.Version.Time).Duration() <= PurgeWork.LongestShift
        );
        PurgedList content = list.Content;
        return new PurgedVersion
        {
            Version = list.Version,
            Entries = content.Entries,
            Removed = content.Removed,
            WithoutMetadata = content.WithoutMetadata,
            RemovedPaths = content.RemovedPaths,
            PathsWithoutMetadata = content.PathsWithoutMetadata,
            NewFileListName = made?.Version.FileListName,
            StaysBecause =
                content.Unwritable is { } path ? $"{path} is in it, which cannot be written again as it is"
                : content.Removed > 0 && content.Contents == 0
                    ? "no file would be left of the version; delete it instead"
                : !list.Volume.Name.IsWritable ? "only zip volumes that are not encrypted or by AES Crypt are written"
                : made is null
                && PurgeWork.FreeTimes(list.Version.Time, [.. all.Select(other => other.Version.Time)]).Count == 0
                    ? PurgeWork.NoFreeTime
                : null,
        };
    }

    private sealed record Looked(Volume Volume, BackupVersion Version, PurgedList Content, bool IsFull, byte[] Digest);
}
