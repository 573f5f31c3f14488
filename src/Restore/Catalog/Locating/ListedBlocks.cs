namespace Restore.Catalog.Locating;

/// <summary>
/// The (hash, size) pairs that an index or an archive directory lists for a volume, in one growing
/// pooled buffer.
/// </summary>
internal sealed class ListedBlocks : IIndexSink, IDisposable
{
    private const int LeastExpected = 64;

    // About 116,000 blocks of 36 bytes. A volume that has more gets several lists.
    private const int MaxBytes = 4 << 20;

    // The memory for a look-up takes as long to come as a few look-ups take.
    private const int ExpectedAhead = 8;

    private readonly int hashLength;
    private readonly BufferPool pool;
    private PooledBuffer buffer;
    private int start;

    /// <param name="expected">The expected number of blocks. It can be a false claim, so at most
    /// the memory of a full list is reserved.</param>
    public ListedBlocks(HashKind hash, BufferPool pool, long expected = 0)
    {
        hashLength = hash.LengthBytes();
        this.pool = pool;
        buffer = pool.Rent(RowBytes * (int)Math.Clamp(expected, LeastExpected, MaxBytes / RowBytes));
    }

    public VolumeId Volume { get; set; } = VolumeId.None;

    public int Order { get; set; }

    /// <summary>Whether the volume is damaged or cut, so that it can have more blocks.</summary>
    public bool IsPartial { get; set; }

    public int Count { get; private set; }

    public int SizeBytes => Count * RowBytes;

    public int MemoryBytes => buffer.Room.Length;

    public bool IsFull => SizeBytes + RowBytes > MaxBytes;

    private int RowBytes => hashLength + sizeof(int);

    private Span<byte> Rows => buffer.Span[start..];

    public void Block(ReadOnlySpan<byte> hash, long sizeBytes)
    {
        if (hash.Length != hashLength || sizeBytes is < 0 or > int.MaxValue)
        {
            return;
        }

        if (SizeBytes + RowBytes > buffer.Length)
        {
            Grow();
        }

        Span<byte> row = Rows.Slice(SizeBytes, RowBytes);
        hash.CopyTo(row);
        BinaryPrimitives.WriteInt32LittleEndian(row[hashLength..], (int)sizeBytes);
        Count++;
    }

    /// <summary>The hash of a listed block; valid until the next change.</summary>
    public ReadOnlySpan<byte> HashOf(int index) => Rows.Slice(index * RowBytes, hashLength);

    public int SizeOf(int index) =>
        BinaryPrimitives.ReadInt32LittleEndian(Rows.Slice((index * RowBytes) + hashLength, sizeof(int)));

    /// <summary>Offers all pairs, and keeps those that the index does not take (yet).</summary>
    public void OfferTo(BlockIndex index)
    {
        int kept = 0;
        for (int i = 0; i < Count; i++)
        {
            if (i + ExpectedAhead < Count)
            {
                index.Expect(HashOf(i + ExpectedAhead), SizeOf(i + ExpectedAhead));
            }

            Span<byte> row = Rows.Slice(i * RowBytes, RowBytes);
            if (
                !index.Locate(
                    row[..hashLength],
                    BinaryPrimitives.ReadInt32LittleEndian(row[hashLength..]),
                    Volume,
                    Order
                )
            )
            {
                row.CopyTo(Rows[(kept++ * RowBytes)..]);
            }
        }

        Count = kept;
    }

    /// <summary>
    /// Records the needed blocks among them as lost with a volume that is not in the folder.
    /// </summary>
    public void NoteLostWith(string volumeName, BlockIndex index)
    {
        for (int i = 0; i < Count; i++)
        {
            Span<byte> row = Rows.Slice(i * RowBytes, RowBytes);
            index.NoteLost(row[..hashLength], BinaryPrimitives.ReadInt32LittleEndian(row[hashLength..]), volumeName);
        }
    }

    /// <summary>
    /// Moves the blocks to the end of a buffer that other lists share, or to a new one if they do
    /// not fit. Many blocks stay where they are.
    /// </summary>
    public void MoveTo(ref PooledBuffer? shared, int sharedBytes)
    {
        if (SizeBytes > sharedBytes / 4)
        {
            return;
        }

        if (shared is null || shared.Room.Length - shared.Length < SizeBytes)
        {
            shared?.Dispose();
            shared = pool.Rent(sharedBytes);
            shared.Truncate(0);
        }

        int end = shared.Length;
        shared.Resize(end + SizeBytes);
        Rows[..SizeBytes].CopyTo(shared.Span[end..]);
        buffer.Dispose();
        (buffer, start) = (shared.Keep(), end);
    }

    public void Dispose() => buffer.Dispose();

    private void Grow()
    {
        PooledBuffer larger = pool.Rent(checked(buffer.Length * 2));
        buffer.Span[..SizeBytes].CopyTo(larger.Span);
        buffer.Dispose();
        buffer = larger;
    }
}
