using Restore.Compression.Zip;
using Restore.Writing.Messages;

namespace Restore.Writing.Processes;

/// <summary>Packs blocks into volumes, none longer than the volume size.</summary>
internal sealed class VolumeBuilder(
    WriterSettings settings,
    BufferPool pool,
    DateTimeOffset created,
    SemaphoreSlim slots
) : IDisposable
{
    // Encryption rounds the length up to whole blocks.
    private const int CipherPaddingBytes = 16;

    private BlockList blocks = new(settings.Layout.BlockHash.LengthBytes());
    private List<(byte[] Hash, byte[] Content)> blocklists = [];
    private VolumeArchive? archive;

    public async Task RunAsync(
        IReadChannelEnd<BlocksCompressed> input,
        IWriteChannelEnd<VolumeBuilt> output,
        CancellationToken cancellationToken
    )
    {
        await foreach (BlocksCompressed compressed in input.ReadAllAsync().ConfigureAwait(false))
        {
            using BlocksCompressed owned = compressed;
            while (compressed.TryTake(out CompressedBlock block))
            {
                using PooledBuffer data = block.Data;
                if (archive is not null && !Fits(archive, block))
                {
                    await output.WriteAsync(Finish()).ConfigureAwait(false);
                }

                archive ??= await BeginAsync(output, cancellationToken).ConfigureAwait(false);
                Add(archive, block);
            }
        }

        if (archive is not null)
        {
            await output.WriteAsync(Finish()).ConfigureAwait(false);
        }
    }

    public void Dispose() => archive?.Dispose();

    private bool Fits(VolumeArchive filling, in CompressedBlock block) =>
        // A name is in front of its entry, and again in the directory of the archive.
        (long)filling.FinishedLength
            + ZipWriter.EntryOverheadBytes
            + (2 * BlockName.MaxLengthBytes)
            + block.Data.Length
            + CipherPaddingBytes
        <= settings.Options.VolumeSizeBytes;

    /// <summary>
    /// Slots limit the memory of volumes: this process takes one, and it is returned with the
    /// buffer when the volume is written.
    /// </summary>
    private async ValueTask<VolumeArchive> BeginAsync(
        IWriteChannelEnd<VolumeBuilt> output,
        CancellationToken cancellationToken
    )
    {
        await output.AwaitRoomAsync(TakeAsync(cancellationToken)).ConfigureAwait(false);
        return new VolumeArchive(settings, pool, created, settings.Options.VolumeSizeBytes);
    }

    private async ValueTask<bool> TakeAsync(CancellationToken cancellationToken)
    {
        await slots.WaitAsync(cancellationToken).ConfigureAwait(false);
        return true;
    }

    private void Add(VolumeArchive filling, in CompressedBlock block)
    {
        Span<byte> name = stackalloc byte[BlockName.MaxLengthBytes];
        int nameLength = BlockName.Encode(block.Hash, name);
        filling.Zip.Add(name[..nameLength], block.Data.Span, block.Method, block.Crc32, block.LengthBytes);
        blocks.Add(block.Hash, block.LengthBytes);
        if (block.IsBlocklist)
        {
            blocklists.Add((block.Hash, block.Data.Span.ToArray()));
        }
    }

    private VolumeBuilt Finish()
    {
        using VolumeArchive full = archive!;
        archive = null;
        PlainVolume plain = full.Finish();
        plain.Buffer.Attach(new SemaphorePlace(slots));
        VolumeBuilt built = new(plain, blocks, blocklists);
        (blocks, blocklists) = (new BlockList(settings.Layout.BlockHash.LengthBytes()), []);
        return built;
    }
}
