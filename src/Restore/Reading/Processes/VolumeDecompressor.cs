using Restore.Catalog;
using Restore.Csp;
using Restore.Reading.Extracting;
using Restore.Reading.Messages;
using Restore.Volumes;

namespace Restore.Reading.Processes;

/// <summary>
/// Reads the directory of a volume's archive, decodes the needed blocks and verifies each by its hash, unless the files that need it are verified as a
/// whole. Sends the blocks in batches, in the order in which files need them.
/// </summary>
internal sealed class VolumeDecompressor(VolumeLoader loader, FetchList list)
{
    public async Task RunAsync(IReadChannelEnd<VolumeDecrypted> input, IWriteChannelEnd<BlocksExtracted> output, CancellationToken cancellationToken)
    {
        List<WantedEntry> space = [];
        await foreach (VolumeDecrypted decrypted in input.ReadAllAsync().ConfigureAwait(false))
        {
            using VolumeDecrypted owned = decrypted;
            VolumeEnd end = decrypted.Volume is null
                ? new VolumeEnd(IsReadInPart: false, decrypted.Failure is string failure ? [failure] : [])
                : await ExtractAsync(decrypted.Volume, decrypted.Wanted, output, space, cancellationToken).ConfigureAwait(false);
            await output.WriteAsync(new BlocksExtracted(decrypted.Wanted) { End = end }).ConfigureAwait(false);
        }
    }

    private async ValueTask<VolumeEnd> ExtractAsync(
        FetchedVolume volume,
        WantedVolume wanted,
        IWriteChannelEnd<BlocksExtracted> output,
        List<WantedEntry> space,
        CancellationToken cancellationToken)
    {
        using Extraction extraction = new(volume, wanted, list, loader, space);
        while (extraction.Next() is { } batch)
        {
            await output.WriteAsync(batch).ConfigureAwait(false);
            cancellationToken.ThrowIfCancellationRequested();
        }

        return new VolumeEnd(!volume.IsWhole, extraction.Defects);
    }
}
