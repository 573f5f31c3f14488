using Restore.Maintenance.Check;
using Restore.Maintenance.Compact;
using Restore.Writing;

namespace Restore.Maintenance.Repair;

/// <summary>Checks a backup, and makes the index volumes that are missing.</summary>
internal sealed class RepairRun(MaintenanceContext context, ProgressMeter progress, CancellationToken cancellationToken)
{
    private readonly IssueLog issues = new();

    /// <summary>Whether block volumes are read whole and verified.</summary>
    public bool ReadsVolumes { get; init; }

    /// <param name="sink">Where to write index volumes; null to write nothing.</param>
    public async Task<CheckReport> RunAsync(RetryingSink? sink)
    {
        BackupCheck check = new(context, issues, progress, cancellationToken) { SalvagesLists = true };
        await check.RunAsync().ConfigureAwait(false);
        if (ReadsVolumes)
        {
            await new VolumeVerification(context, check, issues, progress, cancellationToken)
                .RunAsync()
                .ConfigureAwait(false);
        }

        List<string> made = [];
        List<string> left = [];
        string[] blockVolumes = [];
        HashSet<string> taken = new(StringComparer.Ordinal);
        if (sink is not null && check.Survey.Undescribed.Count > 0)
        {
            // The index volumes can go to another folder than the backup, so the names there count.
            taken.UnionWith((await sink.ListAsync(cancellationToken).ConfigureAwait(false)).Select(file => file.Name));
        }

        foreach (Volume volume in check.Survey.Undescribed)
        {
            string? index = sink is null ? null : await MakeAsync(check, sink, volume, taken).ConfigureAwait(false);
            (index is null ? left : made).Add(index ?? volume.FileName);
        }

        if (sink is not null && check.References.LacksZeros)
        {
            string[] put = await PutZerosAsync(check.References.Layout, sink).ConfigureAwait(false);
            made.AddRange(put.Where(name => KindOf(name) == VolumeKind.Index));
            blockVolumes = [.. put.Where(name => KindOf(name) == VolumeKind.Block)];
        }

        progress.Begin(RestorePhase.Done);
        CheckReport report = Report(check, made, left);
        return blockVolumes.Length == 0
            ? report
            : report with
            {
                BlockVolumes = report.BlockVolumes + blockVolumes.Length,
                BlockVolumesMade = blockVolumes,
                Issues = [.. report.Issues.Where(issue => issue != AddedBlocks.ZerosMissing(context.Location))],
            };
    }

    private static VolumeKind? KindOf(string name) =>
        VolumeName.TryParse(name, out VolumeName parsed) ? parsed.Kind : null;

    /// <summary>
    /// Puts the block of zeros into a volume of its own, because Duplicati needs it in one.
    /// </summary>
    /// <returns>The names of the new volumes.</returns>
    private async Task<string[]> PutZerosAsync(BlockLayout layout, RetryingSink sink)
    {
        VolumeName list = context.Volumes.FileLists[0].Name;
        if (!list.IsWritable || layout.BlockSizeBytes > context.MaxBlockBytes)
        {
            return [];
        }

        WriterSettings settings = context.SettingsOf(layout, isEncrypted: list.Encryption != EncryptionKind.None);
        DateTimeOffset now = context.Time.GetUtcNow();
        VolumeSaver saver = new(settings, context.Loader.Pool, now, sink);
        await saver
            .SaveAsync(
                AddedBlocks.Build(settings, context.Loader.Pool, now, new AddedBlock(new byte[layout.BlockSizeBytes])),
                cancellationToken
            )
            .ConfigureAwait(false);
        return [.. saver.Saved.Select(file => file.Name).Order(StringComparer.Ordinal)];
    }

    private async Task<string?> MakeAsync(BackupCheck check, RetryingSink sink, Volume volume, HashSet<string> taken)
    {
        if (!volume.Name.IsWritable)
        {
            issues.Add(
                new RestoreIssue(
                    IssueKind.Warning,
                    volume.FileName,
                    "Index volumes are only made of zip volumes that are not encrypted or by AES Crypt"
                )
            );
            return null;
        }

        return await new IndexMaking(context, check.References, sink, issues, cancellationToken)
            .MakeAsync(volume, taken)
            .ConfigureAwait(false);
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
            LostBlocks = check.References.LostBlocks,
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
