using Restore.Catalog.Locating;
using Restore.Reading;
using Restore.Writing;

namespace Restore.Maintenance;

/// <summary>An opened backup, as maintenance uses it.</summary>
internal sealed record MaintenanceContext(
    string Location,
    VolumeLoader Loader,
    VolumeSet Volumes,
    RangePolicy Ranges,
    RangePolicy WholeVolumes,
    BlockStream Blocks,
    string? Passphrase,
    TimeProvider Time
)
{
    /// <summary>Limit of the length of a block that is decoded into memory.</summary>
    public required long MaxBlockBytes { get; init; }

    public async Task<VolumeSurvey> SurveyAsync(
        VolumeLoader loader,
        BlockIndex index,
        RangePolicy undescribed,
        IssueLog issues,
        ProgressMeter progress,
        CancellationToken cancellationToken
    )
    {
        progress.Begin(RestorePhase.LocatingBlocks, volumes: Volumes.Indexes.Count);
        VolumeSurvey facts = await new BlockLocator(
            loader,
            Volumes,
            new VolumeCatalog(loader, Volumes),
            Ranges,
            Blocks.ReadAsync
        )
            .SurveyAsync(index, undescribed, issues, progress.Volumes, cancellationToken)
            .ConfigureAwait(false);
        if (index.IsTooMuch)
        {
            issues.Add(
                new RestoreIssue(
                    IssueKind.Damaged,
                    Location,
                    "Its volumes list more blocks than volumes of their length can have, so not all of them were looked at"
                )
            );
        }

        return facts;
    }

    public WriterSettings SettingsOf(BlockLayout layout, bool isEncrypted, int volumeSizeBytes = 1 << 30) =>
        WriterSettings.Resolve(
            new BackupWriterOptions
            {
                // A source is required, and none is read.
                Sources = ["volumes"],
                Destination = Location,
                Passphrase = isEncrypted ? Passphrase : null,
                BlockSizeBytes = layout.BlockSizeBytes,
                VolumeSizeBytes = volumeSizeBytes,
                BlockHash = layout.BlockHash.ManifestName(),
                FileHash = layout.FileHash.ManifestName(),
                Prefix = Volumes.Prefix,
            }
        );

    /// <summary>
    /// Only the type: the text that the compiler would generate contains the passphrase.
    /// </summary>
    public override string ToString() => nameof(MaintenanceContext);
}
