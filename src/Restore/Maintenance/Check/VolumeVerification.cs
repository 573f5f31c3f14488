using Restore.Catalog.Locating;

namespace Restore.Maintenance.Check;

/// <summary>
/// Reads block volumes whole, including volumes that no version needs, and compares each with the
/// hash in its index volume. For an encrypted volume, the authentication code vouches for the bytes
/// too.
/// </summary>
internal sealed class VolumeVerification(
    MaintenanceContext context,
    BackupCheck check,
    IssueLog issues,
    ProgressMeter progress,
    CancellationToken cancellationToken
)
{
    private readonly HashSet<VolumeId> noted = [];

    public async Task RunAsync()
    {
        Volume[] volumes = [.. context.Volumes.Blocks.Where(volume => !volume.IsMissing)];
        HashSet<VolumeId> needed = NeededVolumes(check.References);
        long bytes = VolumeSet.BytesOf(volumes);
        progress.Begin(RestorePhase.Restoring, bytes: bytes, volumes: volumes.Length, toFetch: bytes);
        for (int done = 0; done < volumes.Length; done++)
        {
            progress.Volumes(done, volumes.Length);
            Volume volume = volumes[done];
            IssueReason? found = await DefectAsync(volume).ConfigureAwait(false);
            if (found is { Code: IssueCode.BlocksLost } && !context.Loader.Store.IsLocal)
            {
                // It can have been damaged on its way.
                found = await DefectAsync(volume).ConfigureAwait(false);
            }

            if (found is { } defect)
            {
                IssueKind kind = defect.Code == IssueCode.BlocksLost ? IssueKind.Damaged : IssueKind.Refused;
                issues.Add(
                    needed.Contains(volume.Id)
                        ? new RestoreIssue(kind, volume.FileName, $"{defect.Sentence}. Versions need it")
                        {
                            Code = defect.Code,
                        }
                        : new RestoreIssue(
                            IssueKind.Warning,
                            volume.FileName,
                            $"{defect.Sentence}. No version needs it"
                        )
                );
            }

            progress.Advance(volume.SizeBytes);
        }
    }

    private static IssueReason OtherHash =>
        new("The volume does not have the hash that its index volume gives", IssueCode.BlocksLost);

    private async Task<IssueReason?> DefectAsync(Volume volume)
    {
        bool isSame = true;
        VolumeLoader loader = context.Loader.Seen(
            (_, bytes) =>
                isSame =
                    check.Survey.HashOf(volume.Id) is not byte[] hash
                    || check.References.Layout.FileHash.Matches(bytes.Span, hash)
        );
        try
        {
            if (
                // A volume that does not fit into memory is hashed and verified part by part.
                !VolumeLoader.FitsWhole(volume.SizeBytes) && context.Ranges.CanReadParts(volume, loader.Store.HasRanges)
            )
            {
                byte[] hash = await VolumeInParts
                    .VerifyAsync(
                        context.Loader,
                        volume,
                        context.Ranges,
                        check.References.Layout.FileHash,
                        cancellationToken
                    )
                    .ConfigureAwait(false);
                isSame = check.Survey.HashOf(volume.Id) is not byte[] given || hash.AsSpan().SequenceEqual(given);
                return isSame ? null : OtherHash;
            }

            using LoadedVolume loaded = await loader.LoadAsync(volume, cancellationToken).ConfigureAwait(false);
            loaded.RequireIntact();
            if (loaded.Plain.Note is { } note && noted.Add(volume.Id))
            {
                issues.Add(
                    new RestoreIssue(IssueKind.Warning, volume.FileName, note) { Code = IssueCode.VolumeMisnamed }
                );
            }

            return isSame ? null : OtherHash;
        }
        catch (Exception failure) when (VolumeLoader.IsRefused(failure))
        {
            return new IssueReason($"The volume cannot be read: {failure.Reason()}", failure.ToIssueCode());
        }
        catch (Exception failure)
            when (failure.ToIssueCode() is IssueCode.VolumeTooLarge or IssueCode.VolumePlaceholder)
        {
            return IssueReason.Of(failure);
        }
        catch (Exception failure) when (VolumeLoader.IsLoss(failure))
        {
            return new IssueReason($"The volume is damaged: {failure.Reason()}", IssueCode.BlocksLost);
        }
    }

    private static HashSet<VolumeId> NeededVolumes(ReferencedBlocks blocks)
    {
        HashSet<VolumeId> needed = [];
        foreach (BlockId block in BlockId.UpTo(blocks.Count))
        {
            if (blocks.IsReferenced(block))
            {
                needed.Add(blocks.VolumeOf(block));
            }
        }

        return needed;
    }
}
