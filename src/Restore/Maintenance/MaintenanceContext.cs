using Restore.Catalog;
using Restore.Catalog.Locating;
using Restore.Format;
using Restore.Reading;
using Restore.Volumes;
using Restore.Writing;

namespace Restore.Maintenance;

/// <summary>An opened backup, as maintenance uses it.</summary>
/// <param name="Location">Where it is, for messages.</param>
/// <param name="Loader">Fetches, decrypts and opens volumes.</param>
/// <param name="Volumes">Its volumes.</param>
/// <param name="Ranges">Whether volumes are read in part.</param>
/// <param name="WholeVolumes">The policy that reads volumes whole.</param>
/// <param name="Fetch">Fetches and verifies blocks.</param>
/// <param name="Passphrase">The passphrase; null if there is none.</param>
/// <param name="Time">The clock.</param>
internal sealed record MaintenanceContext(
    string Location,
    VolumeLoader Loader,
    VolumeSet Volumes,
    RangePolicy Ranges,
    RangePolicy WholeVolumes,
    BlockFetcher Fetch,
    string? Passphrase,
    TimeProvider Time)
{
    /// <summary>The stream of verified blocks.</summary>
    public required BlockStream Blocks { get; init; }

    /// <summary>Limit of the length of a block that is decoded into memory.</summary>
    public required long MaxBlockBytes { get; init; }

    /// <summary>Finds out which volumes have which blocks.</summary>
    /// <param name="loader">Reads them.</param>
    /// <param name="index">Receives the blocks.</param>
    /// <param name="undescribed">How block volumes that no index volume describes are read.</param>
    /// <param name="issues">Receives the defects of volumes.</param>
    /// <param name="progress">The progress.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async Task<VolumeSurvey> SurveyAsync(
        VolumeLoader loader, BlockIndex index, RangePolicy undescribed, IssueLog issues, ProgressMeter progress, CancellationToken cancellationToken)
    {
        progress.Begin(RestorePhase.LocatingBlocks, volumes: Volumes.Indexes.Count);
        VolumeSurvey facts = await new BlockLocator(loader, Volumes, new VolumeCatalog(loader, Volumes), Ranges, Fetch)
            .SurveyAsync(index, undescribed, issues, progress.Volumes, cancellationToken).ConfigureAwait(false);
        if (index.IsTooMuch)
        {
            issues.Add(new RestoreIssue(
                IssueKind.Damaged, Location, "Its volumes list more blocks than volumes of their length can have, so not all of them were looked at"));
        }

        return facts;
    }

    /// <summary>How volumes are added to the backup.</summary>
    /// <param name="layout">Block size and hashes.</param>
    /// <param name="isEncrypted">Whether they are encrypted.</param>
    /// <param name="volumeSizeBytes">The size limit of block volumes.</param>
    public WriterSettings SettingsOf(BlockLayout layout, bool isEncrypted, int volumeSizeBytes = 1 << 30) => WriterSettings.Resolve(new BackupWriterOptions
    {
        Sources = ["volumes"],
        Destination = Location,
        Passphrase = isEncrypted ? Passphrase : null,
        BlockSizeBytes = layout.BlockSizeBytes,
        VolumeSizeBytes = volumeSizeBytes,
        BlockHash = layout.BlockHash.ManifestName(),
        FileHash = layout.FileHash.ManifestName(),
        Prefix = Volumes.Prefix,
    });

    /// <summary>Only the type: the text that the compiler would generate contains the passphrase.</summary>
    public override string ToString() => nameof(MaintenanceContext);
}
