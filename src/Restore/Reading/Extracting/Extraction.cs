using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Restore.Catalog;
using Restore.Compression;
using Restore.Format;
using Restore.Memory;
using Restore.Reading.Messages;
using Restore.Volumes;

namespace Restore.Reading.Extracting;

/// <summary>The work on one volume: decodes the wanted blocks and verifies them, run by run.</summary>
internal sealed class Extraction : IDisposable
{
    // A run is long enough that a message costs nothing beside its bytes, and short enough to stay in the processor's cache.
    private const int RunBytes = 1 << 20;

    // The best that Deflate can do: 1,032 bytes out of one. An entry that claims more gets no memory.
    private const int MaxDeflateRatio = 1032;

    private readonly FetchList list;
    private readonly WantedVolume wanted;
    private readonly FetchedVolume volume;
    private readonly List<string> defects;
    private readonly Archive? archive;
    private readonly WantedEntries? entries;
    private readonly BlockBuffers buffers;
    private BlockId delivered = BlockId.None;

    /// <summary>Opens the archive.</summary>
    /// <param name="volume">The volume, in plain; the caller keeps it alive.</param>
    /// <param name="wanted">What is wanted of it.</param>
    /// <param name="list">All that is wanted.</param>
    /// <param name="loader">Decodes, and has the pool.</param>
    /// <param name="space">A list to use, kept from volume to volume.</param>
    public Extraction(FetchedVolume volume, WantedVolume wanted, FetchList list, VolumeLoader loader, List<WantedEntry> space)
    {
        this.volume = volume;
        this.wanted = wanted;
        this.list = list;
        defects = volume.Defect is null ? [] : [volume.Defect];
        buffers = new BlockBuffers(loader.Pool, RunBytes);
        try
        {
            archive = volume.OpenArchive(loader.Codecs);
            entries = new WantedEntries(archive, list, wanted, space);
            if (archive.IsSalvaged)
            {
                defects.Add("The directory of the archive is damaged; its entries were found one by one");
            }
        }
        catch (Exception failure) when (failure is InvalidDataException or UnsupportedMethodException)
        {
            defects.Add(failure.Reason());
        }
    }

    /// <summary>What is wrong with the volume, as far as is known by now.</summary>
    public IReadOnlyList<string> Defects => entries?.Defect is string brokenOff ? [.. defects, brokenOff] : defects;

    private bool IsSound => defects.Count == 0 && entries?.Defect is null;

    /// <summary>The next run of blocks; null at the end.</summary>
    public BlocksExtracted? Next()
    {
        BlocksExtracted run = new(wanted);
        try
        {
            while (run.Bytes < RunBytes && entries is not null && entries.MoveNext(out BlockId block, out ArchiveEntry entry))
            {
                // An archive may have an entry twice.
                if (block != delivered && TryExtract(block, entry, run))
                {
                    delivered = block;
                }
            }
        }
        catch
        {
            run.Dispose();
            throw;
        }

        return run.Count > 0 ? run : null;
    }

    public void Dispose()
    {
        buffers.Dispose();
        archive?.Dispose();
    }

    private bool TryExtract(BlockId block, in ArchiveEntry entry, BlocksExtracted run)
    {
        try
        {
            return archive!.TryGetStored(entry, out ReadOnlyMemory<byte> stored)
                ? TryUseStored(block, stored, run)
                : (entry.Method != 8 || entry.Length / MaxDeflateRatio <= entry.CompressedLength) && TryDecode(block, entry, run);
        }
        catch (UnsupportedMethodException failure)
        {
            if (!defects.Contains(failure.Reason()))
            {
                defects.Add(failure.Reason());
            }

            return false;
        }
    }

    /// <summary>A stored block is used where it lies in the volume.</summary>
    private bool TryUseStored(BlockId block, ReadOnlyMemory<byte> stored, BlocksExtracted run)
    {
        if (!IsRight(block, stored.Span))
        {
            return false;
        }

        PooledBuffer buffer = volume.Buffer;
        int offset = stored.Length == 0 ? 0 : OffsetIn(buffer.Array, stored.Span);
        buffer.AddUsers();
        run.Add(new BlockBytes(block, buffer, offset, stored.Length, IsShared: true));
        return true;
    }

    private bool TryDecode(BlockId block, in ArchiveEntry entry, BlocksExtracted run)
    {
        int length = (int)entry.Length;
        PooledBuffer buffer = buffers.Take(length, out int offset, out bool isShared);
        bool isGood = false;
        try
        {
            Span<byte> bytes = buffer.Array.AsSpan(offset, length);
            isGood = archive!.Decode(entry, bytes, checkCrc: false) == DecodeResult.Decoded && IsRight(block, bytes);
        }
        finally
        {
            if (isGood)
            {
                run.Add(new BlockBytes(block, buffer, offset, length, isShared));
            }
            else
            {
                buffer.Dispose();
            }
        }

        return isGood;
    }

    /// <summary>Whether these are the bytes of a block, as far as is decided here: those of a sound volume may be left to the hashes of files.</summary>
    private bool IsRight(BlockId block, ReadOnlySpan<byte> bytes) =>
        (IsSound && !list.NeedsOwnHash(block)) || list.Table.Hash.Matches(bytes, list.Table.HashOf(block));

    private static int OffsetIn(byte[] array, ReadOnlySpan<byte> part) =>
        (int)Unsafe.ByteOffset(ref MemoryMarshal.GetArrayDataReference(array), ref MemoryMarshal.GetReference(part));
}
