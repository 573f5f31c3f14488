namespace Restore.Streams;

/// <summary>
/// The hash of a file that is read in whatever order: the kernel asks for parts of a file in any
/// order. A hash needs the bytes in their order, so what was read too early is read again, most of
/// it from memory, when all before it has come. Not safe for concurrent use.
/// </summary>
internal sealed class ReadsHash : IDisposable
{
    private const int HashedBytes = 256 << 10;

    // A file that is read in more pieces than this, no two of them adjacent, is not verified as a
    // whole.
    private const int MostPieces = 1024;

    private readonly BlockSource source;
    private readonly ContentBlocks blocks;
    private readonly PartsHash hash;

    // The ranges that were read before the bytes in front of them, in order.
    private readonly List<ByteRange> pieces = [];
    private long hashedTo;

    private ReadsHash(BlockSource source, ContentBlocks blocks) =>
        (this.source, this.blocks, hash) = (source, blocks, new PartsHash(source.Version.Layout.FileHash));

    /// <summary>Null for a content without a hash, or with one that its only block has too.</summary>
    public static ReadsHash? Of(BlockSource source, ContentBlocks blocks) =>
        HasHashToVerify(source.Version, blocks.Content) ? new ReadsHash(source, blocks) : null;

    /// <summary>Hashes what was read, as far as all before it was read too.</summary>
    /// <returns>True if all of the file was read, and has another hash than the recorded
    /// one.</returns>
    public async ValueTask<bool> IsWrongAsync(
        long position,
        ReadOnlyMemory<byte> read,
        CancellationToken cancellationToken
    )
    {
        long end = position + read.Length;
        if (end <= hashedTo || (hashedTo == 0 && position == 0 && TryBeginAfterFirstBlock() && end <= hashedTo))
        {
            return false;
        }

        if (position > hashedTo)
        {
            AddPiece(new ByteRange(position, end));
            return false;
        }

        hash.Append(read.Span[(int)(hashedTo - position)..]);
        hashedTo = end;
        while (pieces.Count > 0 && pieces[0].From <= hashedTo)
        {
            long to = pieces[0].To;
            pieces.RemoveAt(0);
            await HashAgainAsync(to, cancellationToken).ConfigureAwait(false);
        }

        return hashedTo == blocks.SizeBytes && !IsHash(hash, source.Version.FileHashOf(blocks.Content));
    }

    public void Dispose() => hash.Dispose();

    /// <summary>
    /// Whether the content has a hash that the hash of its only block does not cover.
    /// </summary>
    private static bool HasHashToVerify(VersionContent version, ContentId content) =>
        !content.IsNone && !version.IsCoveredByBlockHash(content) && version.HasFileHash(content);

    /// <summary>
    /// Whether the recorded hash of an empty file is not the hash of empty content. Reading such a
    /// file never hashes a byte, so this check is made separately.
    /// </summary>
    public static bool IsNotEmpty(VersionContent version, ContentId content)
    {
        if (!HasHashToVerify(version, content))
        {
            return false;
        }

        using PartsHash ofNothing = new(version.Layout.FileHash);
        return !IsHash(ofNothing, version.FileHashOf(content));
    }

    /// <summary>The first block was hashed when it came.</summary>
    private bool TryBeginAfterFirstBlock()
    {
        VersionContent version = source.Version;
        BlockId first = blocks[0];
        long end = blocks.EndOf(0);
        bool isBegun =
            version.Layout.FileHash == version.Layout.BlockHash
            && end < blocks.SizeBytes
            && !first.IsNone
            && version.Blocks.SizeOf(first) == end
            && hash.TryBegin(version.Blocks.HashOf(first));
        hashedTo = isBegun ? end : 0;
        return isBegun;
    }

    private static bool IsHash(PartsHash whole, ReadOnlySpan<byte> expected)
    {
        Span<byte> actual = stackalloc byte[HashKinds.MaxLengthBytes];
        return actual[..whole.Finish(actual)].SequenceEqual(expected);
    }

    private void AddPiece(ByteRange piece)
    {
        int at = pieces.FindIndex(known => known.To >= piece.From);
        at = at < 0 ? pieces.Count : at;
        int end = at;
        for (; end < pieces.Count && pieces[end].From <= piece.To; end++)
        {
            piece = new ByteRange(Math.Min(piece.From, pieces[end].From), Math.Max(piece.To, pieces[end].To));
        }

        pieces.RemoveRange(at, end - at);
        pieces.Insert(at, piece);
        if (pieces.Count > MostPieces)
        {
            pieces.RemoveAt(MostPieces);
        }
    }

    /// <summary>
    /// Hashes what was read before it could be hashed; most of it is still in memory.
    /// </summary>
    private async ValueTask HashAgainAsync(long to, CancellationToken cancellationToken)
    {
        byte[] buffer = new byte[Math.Clamp(to - hashedTo, 0, HashedBytes)];
        while (hashedTo < to)
        {
            int index = blocks.IndexOf(hashedTo);
            int count = (int)Math.Min(buffer.Length, Math.Min(to, blocks.EndOf(index)) - hashedTo);
            int offset = (int)(hashedTo - blocks.OffsetOf(index));
            if (
                !await source
                    .TryReadAsync(blocks[index], offset, buffer.AsMemory(0, count), cancellationToken)
                    .ConfigureAwait(false)
            )
            {
                return;
            }

            hash.Append(buffer.AsSpan(0, count));
            hashedTo += count;
        }
    }
}
