using Restore.Maintenance.Check;

namespace Restore.Maintenance.Passphrase;

/// <summary>
/// Encrypts the volumes of a backup again with another passphrase: first block volumes, with new
/// index volumes, then the remaining index volumes, and file lists last, so that the former
/// passphrase shows all versions until then. A volume is deleted only after the store lists its
/// successor. The name of a successor is derived from the name of its volume, so a run recognizes
/// what an interrupted run has done, and completes it.
/// </summary>
internal sealed class PassphraseChangeRun(
    MaintenanceContext context,
    string newPassphrase,
    IReadOnlyList<string> otherPassphrases,
    ProgressMeter progress,
    CancellationToken cancellationToken
)
{
    private readonly List<RestoreIssue> issues = [];
    private VolumePassphrases headers = null!;
    private VolumeReplacement work = null!;

    /// <param name="sink">The store; null to count only.</param>
    /// <param name="breaksLock">Whether a lock is broken.</param>
    /// <exception cref="RestoreException">The passphrase cannot be changed, or is
    /// wrong.</exception>
    public async Task<PassphraseChangeReport> RunAsync(RetryingSink? sink, bool breaksLock)
    {
        RequireChangeable();
        sink?.RequireDeletable();
        int place = otherPassphrases.ToList().IndexOf(newPassphrase);
        headers = await VolumePassphrases.ReadAsync(context, place, progress, cancellationToken).ConfigureAwait(false);
        Volume[] old = [.. context.Volumes.All.Where(volume => !volume.IsMissing && !headers.IsChanged(volume))];
        PassphraseChangeReport report = new()
        {
            ToChange = old.Length,
            BytesToChange = old.Sum(volume => volume.SizeBytes),
            ChangedBefore = headers.Changed,
        };
        if (sink is not null && old.Length > 0)
        {
            WriterLock held = await BackupState
                .LockAsync(sink, context, allowsNew: false, breaksLock, cancellationToken)
                .ConfigureAwait(false);
            await using (held.ConfigureAwait(false))
            {
                await ChangeAsync(sink, held, report.BytesToChange).ConfigureAwait(false);
                string[] left = [.. old.Where(volume => !work.IsDeleted(volume)).Select(volume => volume.FileName)];
                report = report with
                {
                    Changed = old.Length - left.Length,
                    Left = left,
                    BytesWritten = work.BytesWritten,
                    Issues = issues,
                };
            }
        }

        progress.Begin(RestorePhase.Done);
        return report with { BytesFetched = progress.BytesFetched, Elapsed = progress.Elapsed };
    }

    private void RequireChangeable()
    {
        if (newPassphrase.Contains('\uFFFD', StringComparison.Ordinal) || !IsText(newPassphrase))
        {
            throw new RestoreException(
                RestoreErrorCode.PassphraseNotText,
                "The new passphrase is not UTF-8 text",
                context.Location
            );
        }

        if (NewPassphrase.HasControls(newPassphrase))
        {
            throw new RestoreException(
                RestoreErrorCode.PassphraseHasControls,
                $"The new passphrase {NewPassphrase.HasControlsReason}, so nothing was changed",
                context.Location
            );
        }

        Volume? other = context.Volumes.All.FirstOrDefault(volume =>
            !volume.IsMissing && volume.Name is not { IsWritable: true, Encryption: EncryptionKind.Aes }
        );
        string? reason =
            newPassphrase.Length == 0 ? "The new passphrase is empty"
            : newPassphrase == context.Passphrase ? "The new passphrase is the one that the backup has"
            : !otherPassphrases.Contains(newPassphrase)
                ? "The backup was not opened with the new passphrase among the former ones"
            : context.Volumes.StandIn(_ => true) is { } standIn ? standIn
            : context
                .Volumes.All.Select(volume => context.Volumes.CopiesOf(volume.FileName))
                .FirstOrDefault(copies => copies.Count > 0)
                is { } copies
                ? $"{copies[0]} is a copy of a volume and would keep the former passphrase"
            : context.Volumes.All.FirstOrDefault(volume => !volume.IsMissing && volume.SizeBytes == 0) is { } empty
                ? $"{empty.FileName} is empty, and what it stands for would keep the former passphrase"
            : context.Volumes.Strange is [var strange, ..]
                ? $"{strange.FileName} looks like a volume, and would keep the former passphrase"
            : context.Volumes.All.FirstOrDefault(volume => !volume.IsMissing && !IsNamed(volume)) is { } marked
                ? $"{marked.FileName} is a volume under another name: rename it back"
            : other is not null ? "A volume is not a zip volume that is encrypted by AES Crypt"
            : null;
        if (reason is not null)
        {
            throw new RestoreException(
                RestoreErrorCode.PassphraseNotChangeable,
                $"{reason}, so nothing was changed",
                other?.FileName ?? context.Location
            );
        }
    }

    private bool IsNamed(Volume volume) =>
        StoredName.Read(volume.FileName).Kind == StoredNameKind.Volume
        && volume.FileName.StartsWith($"{context.Volumes.Prefix}-", StringComparison.OrdinalIgnoreCase);

    private static bool IsText(string text) => Encoding.UTF8.GetString(Encoding.UTF8.GetBytes(text)) == text;

    private async Task ChangeAsync(RetryingSink sink, WriterLock held, long bytes)
    {
        // The check shows which blocks are blocklists, and what index volumes describe. The issues
        // that it finds existed before, and stay.
        BackupCheck check = new(context, new IssueLog(), progress, cancellationToken) { SalvagesLists = true };
        await check.RunAsync().ConfigureAwait(false);
        ILookup<VolumeId, Volume> indexes = check.Survey.Links.ToLookup(
            link => link.Blocks,
            link => context.Volumes.All[link.Index]
        );
        ILookup<VolumeId, Volume> described = check.Survey.Links.ToLookup(
            link => link.Index,
            link => context.Volumes.All[link.Blocks]
        );

        // An index volume can have the only copy of a blocklist.
        bool keepsIndexes = check.References.Blocklists.Any(list => check.References.VolumeOf(list).IsNone);
        work = new VolumeReplacement(
            context,
            sink,
            held,
            (volume, isReplaced) =>
                indexes[volume.Id]
                    .Where(index =>
                        !keepsIndexes
                        && described[index.Id].All(one => isReplaced(one))
                        && !check.Survey.DescribesAbsent(index.Id)
                        && !check.Survey.BrokenIndexes.ContainsKey(index)
                    ),
            cancellationToken
        );
        Reencryption reencryption = new(context, check.References, headers, work, newPassphrase, cancellationToken);
        HashSet<string?> successors =
        [
            .. context
                // Of a volume that has the wanted passphrase already, as after a change that was
                // taken back, no successor is wanted.
                .Volumes.All.Where(volume => !volume.IsMissing && !headers.IsChanged(volume))
                .Select(volume => SuccessorName.Of(volume.FileName)),
        ];

        // A damaged successor that an interrupted run left is replaced together with the volume
        // that it was made from.
        progress.Begin(RestorePhase.MovingBlocks, bytes: bytes, volumes: context.Volumes.All.Count - headers.Changed);
        await ChangeAllAsync(
                context.Volumes.Blocks.Where(volume => !successors.Contains(volume.FileName)),
                volume => reencryption.ChangeBlocksAsync(volume, indexes.Contains)
            )
            .ConfigureAwait(false);
        await ChangeAllAsync(
                context.Volumes.Indexes.Where(index =>
                    !described[index.Id].Any(IsLeft) && !successors.Contains(index.FileName)
                ),
                reencryption.ChangeIndexAsync
            )
            .ConfigureAwait(false);
        await ChangeAllAsync(context.Volumes.FileLists.Reverse(), reencryption.ChangeListAsync).ConfigureAwait(false);
    }

    private bool IsLeft(Volume volume) => !volume.IsMissing && !headers.IsChanged(volume) && !work.IsDeleted(volume);

    private async Task ChangeAllAsync(IEnumerable<Volume> volumes, Func<Volume, Task> change)
    {
        foreach (Volume volume in volumes.Where(IsLeft).ToList())
        {
            try
            {
                await change(volume).ConfigureAwait(false);
                await work.ReplaceAsync(volume).ConfigureAwait(false);
            }
            catch (Exception failure) when (VolumeLoader.IsLoss(failure))
            {
                string reason = $"It keeps the former passphrase: {failure.Reason()}";
                issues.Add(
                    new RestoreIssue(IssueKind.Damaged, volume.FileName, reason) { Code = failure.ToIssueCode() }
                );
            }

            progress.Advance(volume.SizeBytes);
            progress.VolumeDone();
            progress.Report();
        }

        await work.EndGroupAsync().ConfigureAwait(false);
    }
}
