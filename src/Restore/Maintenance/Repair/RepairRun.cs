using Restore.Catalog;
using Restore.Format;
using Restore.Maintenance.Check;
using Restore.Storage;
using Restore.Volumes;

namespace Restore.Maintenance.Repair;

/// <summary>Checks a backup, and makes the index volumes that are missing.</summary>
internal sealed class RepairRun(MaintenanceContext context, ProgressMeter progress, CancellationToken cancellationToken)
{
    private readonly IssueLog issues = new();

    /// <param name="sink">Where to write index volumes; null to write nothing.</param>
    public async Task<CheckReport> RunAsync(RetryingSink? sink)
    {
        BackupCheck check = new(context, issues, progress, cancellationToken);
        await check.RunAsync().ConfigureAwait(false);
        List<string> made = [];
        List<string> left = [];
        foreach (Volume volume in check.Survey.Undescribed)
        {
            string? index = sink is null ? null : await MakeAsync(check, sink, volume).ConfigureAwait(false);
            (index is null ? left : made).Add(index ?? volume.FileName);
        }

        progress.Begin(RestorePhase.Done);
        return Report(check, made, left);
    }

    private async Task<string?> MakeAsync(BackupCheck check, RetryingSink sink, Volume volume)
    {
        if (volume.Name is not { Archive: ArchiveKind.Zip, Encryption: EncryptionKind.None or EncryptionKind.Aes })
        {
            issues.Add(new RestoreIssue(
                IssueKind.Warning, volume.FileName, "Index volumes are only made of zip volumes that are not encrypted or by AES Crypt"));
            return null;
        }

        return await new IndexMaking(context, check.References, sink, issues, cancellationToken).MakeAsync(volume).ConfigureAwait(false);
    }

    private CheckReport Report(BackupCheck check, List<string> made, List<string> left)
    {
        (long used, long unused, long unusedBytes) = (0, 0, 0);
        foreach (BlockId block in BlockId.UpTo(check.References.Count))
        {
            bool isUsed = check.References.IsReferenced(block);
            used += isUsed ? 1 : 0;
            unused += isUsed ? 0 : 1;
            unusedBytes += isUsed ? 0 : check.References.SizeOf(block);
        }

        return new CheckReport
        {
            Versions = check.Versions,
            IndexVolumes = context.Volumes.Indexes.Count + made.Count,
            BlockVolumes = context.Volumes.Blocks.Count(volume => !volume.IsMissing),
            Volumes = check.Volumes,
            Blocks = used,
            LostBlocks = check.References.UnlocatedBlocks,
            UnusedBlocks = unused,
            UnusedBytes = unusedBytes,
            RepeatedBlocks = check.References.Duplicates().Count(),
            IndexVolumesMade = made,
            WithoutIndex = left,
            BytesFetched = progress.BytesFetched,
            Elapsed = progress.Elapsed,
            Issues = issues.ToList(),
        };
    }
}
