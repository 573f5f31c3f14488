using Restore.Catalog;
using Restore.Compression;
using Restore.Csp;
using Restore.Format;
using Restore.Memory;
using Restore.Reading.Messages;
using Restore.Volumes;

namespace Restore.Reading.Processes;

/// <summary>
/// Reads the directory of a volume's archive, decodes the wanted blocks and verifies each by its hash, unless the files that want it are verified as a whole;
/// sends them in runs, in the order files want them.
/// </summary>
internal sealed class VolumeDecompressor(VolumeLoader loader, FetchList demand)
{
    // A run is long enough that a message costs nothing beside its bytes, and short enough to stay in the processor's cache.
    private const int RunBytes = 1 << 20;

    // Larger blocks have a buffer of their own and can be kept without a copy; smaller ones share one.
    private const int OwnBufferBytes = 64 << 10;

    // The best that Deflate can do: 1,032 bytes out of one. A claim beyond it is a lie that need not be given memory.
    private const int MaxDeflateRatio = 1032;

    private readonly VolumeLoader loader = loader;
    private readonly FetchList demand = demand;
    private readonly HashKind hash = demand.Table.Hash;

    public async Task RunAsync(IReadChannelEnd<VolumeDecrypted> input, IWriteChannelEnd<BlocksExtracted> output, CancellationToken cancellationToken)
    {
        // Of a volume of small blocks it is some MiB: one for all volumes of this copy.
        List<WantedEntry> wanted = [];
        await foreach (VolumeDecrypted decrypted in input.ReadAllAsync().ConfigureAwait(false))
        {
            using VolumeDecrypted owned = decrypted;
            List<string> defects = decrypted.Failure is null ? [] : [decrypted.Failure];
            if (decrypted.Plain is not null)
            {
                await ExtractAsync(decrypted, output, wanted, defects, cancellationToken).ConfigureAwait(false);
            }

            BlocksExtracted last = new(decrypted.Demand) { IsLast = true, IsReadInPart = decrypted.Part is not null };
            last.Defects.AddRange(defects);
            await output.WriteAsync(last).ConfigureAwait(false);
        }
    }

    private async ValueTask ExtractAsync(
        VolumeDecrypted decrypted,
        IWriteChannelEnd<BlocksExtracted> output,
        List<WantedEntry> wanted,
        List<string> defects,
        CancellationToken cancellationToken)
    {
        wanted.Clear();
        using Extraction extraction = new(this, decrypted, wanted, defects);
        while (extraction.Next() is { } run)
        {
            await output.WriteAsync(run).ConfigureAwait(false);
            cancellationToken.ThrowIfCancellationRequested();
        }
    }

    /// <summary>A wanted block, and where the archive has it.</summary>
    private readonly record struct WantedEntry(int Rank, BlockId Block, ArchiveEntry Entry);

    /// <summary>The work on one volume.</summary>
    private sealed class Extraction : IDisposable
    {
        private readonly VolumeDecompressor owner;
        private readonly VolumeDecrypted decrypted;
        private readonly List<string> defects;
        private readonly Archive? archive;
        private readonly List<WantedEntry> wanted;
        private int delivered = -1;
        private PooledBuffer? shared;
        private int sharedUsed;
        private int next;

        public Extraction(VolumeDecompressor owner, VolumeDecrypted decrypted, List<WantedEntry> wanted, List<string> defects)
        {
            this.owner = owner;
            this.decrypted = decrypted;
            this.wanted = wanted;
            this.defects = defects;
            try
            {
                archive = decrypted.Part?.Open(owner.loader.Codecs) ?? owner.loader.OpenArchive(decrypted.Demand.Volume, decrypted.Plain!.Value);
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

        /// <summary>The next run of blocks, or null at the end.</summary>
        public BlocksExtracted? Next()
        {
            if (archive is null)
            {
                return null;
            }

            if (archive.IsRandomAccess && next == 0)
            {
                CollectWanted();
            }

            BlocksExtracted run = new(decrypted.Demand);
            try
            {
                while (run.Bytes < RunBytes && MoveNext(out BlockId block, out ArchiveEntry entry))
                {
                    Extract(block, entry, run);
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
            shared?.Dispose();
            archive?.Dispose();
        }

        private void CollectWanted()
        {
            wanted.EnsureCapacity(decrypted.Demand.Count);
            while (Walk(out BlockId block, out ArchiveEntry entry))
            {
                wanted.Add(new WantedEntry(owner.demand.RankOf(block), block, entry));
            }

            wanted.Sort((a, b) => a.Rank.CompareTo(b.Rank));
        }

        private bool MoveNext(out BlockId block, out ArchiveEntry entry)
        {
            if (!archive!.IsRandomAccess)
            {
                return Walk(out block, out entry);
            }

            bool has = next < wanted.Count;
            (_, block, entry) = has ? wanted[next++] : default;
            return has;
        }

        /// <summary>Goes to the next entry of the archive that is wanted.</summary>
        private bool Walk(out BlockId block, out ArchiveEntry entry)
        {
            Span<byte> name = stackalloc byte[HashKinds.MaxLengthBytes];
            try
            {
                while (archive!.MoveNext(out entry))
                {
                    if (BlockName.TryDecode(archive.NameOf(entry), name, out int length)
                        && (block = owner.demand.Find(name[..length], entry.Length, decrypted.Demand)) >= 0)
                    {
                        return true;
                    }
                }
            }
            catch (InvalidDataException failure)
            {
                defects.Add(failure.Reason());
            }

            (block, entry) = (BlockId.None, default);
            return false;
        }

        private void Extract(BlockId block, in ArchiveEntry entry, BlocksExtracted run)
        {
            if (block == delivered)
            {
                return;
            }

            try
            {
                if (archive!.TryGetStored(entry, out ReadOnlyMemory<byte> stored))
                {
                    ExtractStored(block, stored, run);
                }
                else if (entry.Method != 8 || entry.Length / MaxDeflateRatio <= entry.CompressedLength)
                {
                    Decode(block, entry, run);
                }
            }
            catch (UnsupportedMethodException failure)
            {
                if (!defects.Contains(failure.Reason()))
                {
                    defects.Add(failure.Reason());
                }
            }
        }

        /// <summary>A stored block is used where it lies in the volume.</summary>
        private void ExtractStored(BlockId block, ReadOnlyMemory<byte> stored, BlocksExtracted run)
        {
            if (IsRight(block, stored.Span))
            {
                PooledBuffer volume = decrypted.Plain!.Value.Buffer;
                int offset = stored.Length == 0 ? 0 : (int)Offset(volume.Array, stored.Span);
                volume.AddUsers();
                run.Add(new BlockBytes(block, volume, offset, stored.Length, IsShared: true));
                delivered = block;
            }
        }

        private static long Offset(byte[] array, ReadOnlySpan<byte> part) =>
            System.Runtime.CompilerServices.Unsafe.ByteOffset(
                ref System.Runtime.InteropServices.MemoryMarshal.GetArrayDataReference(array),
                ref System.Runtime.InteropServices.MemoryMarshal.GetReference(part));

        private void Decode(BlockId block, in ArchiveEntry entry, BlocksExtracted run)
        {
            int length = (int)entry.Length;
            bool isShared = length < OwnBufferBytes;
            PooledBuffer buffer = isShared ? ShareBuffer(length) : owner.loader.Pool.Rent(length);
            int offset = isShared ? sharedUsed : 0;
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
                    delivered = block;
                }
                else
                {
                    buffer.Dispose();
                }
            }

            sharedUsed += isShared ? length : 0;
        }

        /// <summary>Whether these are the bytes of a block, as far as is found out here: those of a sound volume may be left to the hashes of files.</summary>
        private bool IsRight(BlockId block, ReadOnlySpan<byte> bytes) =>
            (defects.Count == 0 && !owner.demand.NeedsOwnHash(block)) || owner.hash.Matches(bytes, owner.demand.Table.HashOf(block));

        /// <summary>One more use of the buffer that small blocks share; a new one when it is full.</summary>
        private PooledBuffer ShareBuffer(int length)
        {
            if (shared is null || sharedUsed + length > shared.Length)
            {
                shared?.Dispose();
                shared = owner.loader.Pool.Rent(RunBytes);
                sharedUsed = 0;
            }

            shared.AddUsers();
            return shared;
        }
    }
}
