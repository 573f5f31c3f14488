using Restore.Catalog.Locating;
using Restore.Writing;
using Restore.Writing.Messages;

namespace Restore.Maintenance.Repair;

/// <summary>
/// Makes the index volumes of block volumes that no index volume describes, from the verified
/// blocks that are in them.
/// </summary>
internal sealed class IndexMaking(
    MaintenanceContext context,
    ReferencedBlocks references,
    RetryingSink sink,
    IssueLog issues,
    CancellationToken cancellationToken
)
{
    /// <param name="volume">The block volume.</param>
    /// <param name="taken">The names that the place has.</param>
    /// <returns>Its name; null if the block volume cannot be read.</returns>
    public async Task<string?> MakeAsync(Volume volume, HashSet<string> taken)
    {
        try
        {
            VolumeBlocks blocks = new(context.Loader, references.Layout, context.MaxBlockBytes, context.Ranges);
            IndexedVolume indexed = await blocks
                .ReadAsync(volume, references.IsBlocklist, cancellationToken)
                .ConfigureAwait(false);
            VolumeSealer sealer = new(SettingsOf(volume), context.Loader.Pool, context.Time.GetUtcNow());
            NamedVolume index = sealer.SealIndex(indexed);
            string name = VolumeBlocks.IndexNameOf(volume);
            using (index.Content)
            {
                return await sink.PutAsync(
                        // The name follows from the block volume, so the second of two repairs at
                        // the same time replaces the file of the first, where the store can.
                        trial => trial == 0 && !taken.Contains(name) ? name : sealer.NewIndexName(),
                        index.Content.Memory,
                        cancellationToken
                    )
                    .ConfigureAwait(false);
            }
        }
        catch (Exception failure) when (VolumeLoader.IsLoss(failure))
        {
            issues.Add(
                new RestoreIssue(
                    IssueKind.Warning,
                    volume.FileName,
                    $"No index volume is made of it: {failure.Reason()}"
                )
            );
            return null;
        }
    }

    private WriterSettings SettingsOf(Volume volume) =>
        context.SettingsOf(references.Layout, isEncrypted: volume.Name.Encryption != EncryptionKind.None);
}
