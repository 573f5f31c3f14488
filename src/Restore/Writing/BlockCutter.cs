using Restore.Writing.Messages;

namespace Restore.Writing;

/// <summary>
/// Hashes a content block by block, and creates its blocklists. One content at a time.
/// </summary>
internal sealed class BlockCutter(BlockLayout layout, BufferPool pool, TimeProvider? clock = null) : IDisposable
{
    private readonly IncrementalHash fileHash = IncrementalHash.CreateHash(layout.FileHash.AlgorithmName());
    private readonly int hashLength = layout.BlockHash.LengthBytes();
    private readonly List<byte> blocklistHashes = [];
    private readonly DataHasher hasher = new(layout.BlockHash);
    private long hashingTicks;
    private byte[] firstHash = [];
    private PooledBuffer? blocklist;
    private int inBlocklist;
    private bool isSingle;
    private bool isFileHashed;
    private long blockCount;
    private long sizeBytes;

    public long Bytes { get; private set; }

    public TimeSpan Hashing => clock?.GetElapsedTime(0, hashingTicks) ?? TimeSpan.Zero;

    private long Now => clock?.GetTimestamp() ?? 0;

    /// <param name="isSingle">Whether the content has at most one block.</param>
    public void Begin(bool isSingle)
    {
        Clear();
        this.isSingle = isSingle;
    }

    /// <summary>
    /// Adds and takes over the next block; only the last may be shorter than the block size.
    /// </summary>
    public void Add(PooledBuffer block, BlocksHashed output, bool isStored = false, byte[]? known = null)
    {
        byte[] hash = known ?? HashAlone(block.Span);

        // If files and blocks have the same algorithm, the hash of a single block is the hash of
        // the file.
        if (!isSingle || layout.BlockHash != layout.FileHash)
        {
            long start = Now;
            fileHash.AppendData(block.Span);
            isFileHashed = true;
            hashingTicks += Now - start;
        }

        if (blockCount == 0)
        {
            firstHash = hash;
        }

        if (!isSingle)
        {
            AppendToBlocklist(hash, output);
        }

        blockCount++;
        sizeBytes += block.Length;
        output.Add(new HashedBlock(hash, block, IsBlocklist: false, isStored));
    }

    public ContentHashes End(BlocksHashed output)
    {
        bool isHashedAlready = isSingle && blockCount == 1 && layout.BlockHash == layout.FileHash;
        byte[] hash = isHashedAlready ? firstHash : fileHash.GetHashAndReset();
        isFileHashed = false;
        ContentHashes hashes;
        if (blockCount > 1)
        {
            EmitBlocklist(output);
            hashes = new ContentHashes(sizeBytes, hash, [], [.. blocklistHashes]);
        }
        else
        {
            bool isSame = blockCount == 0 || firstHash.AsSpan().SequenceEqual(hash);
            hashes = new ContentHashes(sizeBytes, hash, isSame ? [] : firstHash, []);
        }

        Clear();
        return hashes;
    }

    public byte[] HashAlone(ReadOnlySpan<byte> data)
    {
        long start = Now;
        byte[] hash = hasher.Hash(data);
        hashingTicks += Now - start;
        Bytes += data.Length;
        return hash;
    }

    public void Dispose()
    {
        blocklist?.Dispose();
        fileHash.Dispose();
    }

    private void AppendToBlocklist(byte[] hash, BlocksHashed output)
    {
        if (inBlocklist == layout.HashesPerBlocklist)
        {
            EmitBlocklist(output);
        }

        blocklist ??= pool.Rent(layout.HashesPerBlocklist * hashLength);
        hash.CopyTo(blocklist.Span[(inBlocklist * hashLength)..]);
        inBlocklist++;
    }

    private void EmitBlocklist(BlocksHashed output)
    {
        PooledBuffer full = blocklist!;
        full.Truncate(inBlocklist * hashLength);
        blocklist = null;
        inBlocklist = 0;
        byte[] hash = hasher.Hash(full.Span);
        blocklistHashes.AddRange(hash);
        output.Add(new HashedBlock(hash, full, IsBlocklist: true));
    }

    private void Clear()
    {
        // Left over from a content that could not be read to its end.
        blocklist?.Dispose();
        blocklist = null;
        inBlocklist = 0;
        blocklistHashes.Clear();
        firstHash = [];
        blockCount = 0;
        sizeBytes = 0;
        if (isFileHashed)
        {
            fileHash.GetHashAndReset();
            isFileHashed = false;
        }
    }
}

/// <summary>The hashes of a content in a file list: of a file, or of an entry's metadata.</summary>
/// <param name="BlockHash">Block hash of its only block if it differs from <paramref name="Hash"/>,
/// else empty.</param>
/// <param name="BlocklistHashes">The concatenated hashes of its blocklists; empty if it has at most
/// one block.</param>
internal readonly record struct ContentHashes(long SizeBytes, byte[] Hash, byte[] BlockHash, byte[] BlocklistHashes);
