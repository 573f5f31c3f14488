namespace Restore.Streams;

/// <summary>
/// The content of one file of a version, read-only and seekable. Each block is verified by its
/// hash; once all of it was read, in whatever order, the whole file is verified by its file hash
/// too. If the file hash is wrong, the last byte cannot be read. Not safe for concurrent use.
/// </summary>
/// <param name="path">The original path, for messages.</param>
/// <param name="ownsSource">Whether the source is disposed with the stream.</param>
/// <param name="isBegun">Whether the first window was fetched, because all will be read.</param>
internal sealed class ContentStream(
    BlockSource source,
    ContentBlocks blocks,
    string path,
    bool ownsSource,
    bool isBegun = false
) : Stream
{
    private const string ThrownBy = "Restore.ContentStream";

    private readonly ReadAhead readAhead = new(source, blocks, isBegun);
    private readonly ReadsHash? hash = ReadsHash.Of(source, blocks);
    private readonly List<ByteRange> lost = [];
    private long position;
    private bool hasBegun;
    private bool isClosed;

    public override bool CanRead => !isClosed;

    public override bool CanSeek => !isClosed;

    public override bool CanWrite => false;

    public override long Length => blocks.SizeBytes;

    /// <summary>The lost byte ranges that reads have found, in the order of the reads.</summary>
    public IReadOnlyList<ByteRange> Lost => lost;

    /// <summary>
    /// Whether the whole file was read, by this stream or before, and has a wrong file hash.
    /// </summary>
    public bool IsContradicted { get; set; } =
        blocks.SizeBytes == 0 && ReadsHash.IsNotEmpty(source.Version, blocks.Content);

    /// <summary>
    /// Whether the reader accepts the bytes of a file with a wrong hash and reports the hash
    /// itself: reads no longer throw because of it.
    /// </summary>
    public bool IsTakenAnyway { get; set; }

    /// <summary>The entry that has this content; null if it belongs to no one entry.</summary>
    public EntryId? Entry { get; init; }

    /// <summary>The version of the entry.</summary>
    public VersionContent Version => source.Version;

    /// <summary>Called when the whole file was read and has a wrong file hash.</summary>
    public Action? Contradicted { get; init; }

    /// <summary>How far the file was read.</summary>
    public long Furthest { get; private set; }

    /// <summary>Called with the number of bytes that were read for the first time.</summary>
    public Action<long>? Advanced { get; init; }

    /// <summary>
    /// Called before the first read: brings the blocks of this file together with blocks of other
    /// files.
    /// </summary>
    public Func<CancellationToken, Task>? Beginning { get; init; }

    public override long Position
    {
        get => position;
        set
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            position = value;
        }
    }

    /// <summary>
    /// Whether a read threw an exception, or one that it wraps: then bytes are lost, and nothing
    /// else has failed.
    /// </summary>
    public bool HasThrown(Exception failure)
    {
        for (Exception? cause = failure; cause is not null; cause = cause.InnerException)
        {
            if (ReferenceEquals(cause.Data[ThrownBy], this))
            {
                return true;
            }
        }

        return false;
    }

    public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
    {
        ObjectDisposedException.ThrowIf(isClosed, this);
        int wanted = (int)Math.Clamp(Length - position, 0, buffer.Length);
        if (!hasBegun && wanted > 0)
        {
            hasBegun = true;
            await (Beginning?.Invoke(cancellationToken) ?? Task.CompletedTask).ConfigureAwait(false);
        }

        int done = 0;
        while (done < wanted)
        {
            int index = blocks.IndexOf(position + done);
            int offset = (int)(position + done - blocks.OffsetOf(index));
            int count = (int)Math.Min(wanted - done, blocks.EndOf(index) - position - done);
            if (!source.TryCopy(blocks[index], offset, buffer.Span.Slice(done, count)))
            {
                // A read returns the bytes that are in memory. The next read waits for the block,
                // or fails at its own position if the block is lost.
                if (done > 0)
                {
                    break;
                }

                await readAhead.BringAsync(index, offset + wanted, cancellationToken).ConfigureAwait(false);
                if (
                    !await source
                        .TryReadAsync(blocks[index], offset, buffer.Slice(done, count), cancellationToken)
                        .ConfigureAwait(false)
                )
                {
                    throw Loss(index);
                }
            }

            readAhead.Pass(index);
            done += count;
        }

        await VerifyAsync(buffer[..done], cancellationToken).ConfigureAwait(false);
        position += done;
        if (position > Furthest)
        {
            Advanced?.Invoke(position - Furthest);
            Furthest = position;
        }

        return done;
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    /// <summary>
    /// Reads, and blocks the calling thread until bytes are available.
    /// <see cref="ReadAsync(Memory{byte}, CancellationToken)"/> does not.
    /// </summary>
    public override int Read(byte[] buffer, int offset, int count)
    {
        ValueTask<int> read = ReadAsync(buffer.AsMemory(offset, count));
#pragma warning disable RS0030 // Stream has a synchronous Read, and many readers of formats use nothing else; no continuation here needs the caller's thread
        return read.IsCompletedSuccessfully ? read.Result : read.AsTask().GetAwaiter().GetResult();
#pragma warning restore RS0030
    }

    public override long Seek(long offset, SeekOrigin origin) =>
        Position =
            offset
            + origin switch
            {
                SeekOrigin.Begin => 0,
                SeekOrigin.Current => position,
                SeekOrigin.End => Length,
                _ => throw new ArgumentOutOfRangeException(nameof(origin)),
            };

    public override void Flush() { }

    public override void SetLength(long value) => throw new NotSupportedException("The stream is read-only");

    public override void Write(byte[] buffer, int offset, int count) =>
        throw new NotSupportedException("The stream is read-only");

    public override async ValueTask DisposeAsync()
    {
        await base.DisposeAsync().ConfigureAwait(false);
        if (ownsSource)
        {
            await source.DisposeAsync().ConfigureAwait(false);
        }
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing && !isClosed)
        {
            isClosed = true;
            hash?.Dispose();
            if (ownsSource)
            {
                // Cannot wait for background fetches here, and does not need to: only DisposeAsync
                // promises their end.
                source.Close();
            }
        }

        base.Dispose(disposing);
    }

    private async ValueTask VerifyAsync(ReadOnlyMemory<byte> read, CancellationToken cancellationToken)
    {
        if (IsContradicted && !IsTakenAnyway && position + read.Length == Length && (!read.IsEmpty || Length == 0))
        {
            throw Contradiction();
        }

        if (
            hash is not null
            && !IsContradicted
            && await hash.IsWrongAsync(position, read, cancellationToken).ConfigureAwait(false)
        )
        {
            IsContradicted = true;
            Contradicted?.Invoke();
            throw Contradiction();
        }
    }

    private IOException Contradiction() =>
        Marked($"{path}: all blocks are sound, but the file does not have the recorded hash");

    private IOException Loss(int index)
    {
        ByteRange range = new(blocks.OffsetOf(index), blocks.EndOf(index));
        if (!lost.Contains(range))
        {
            lost.Add(range);
        }

        return Marked($"{path}: the bytes from {range.From:N0} to {range.To:N0} are in no volume that can be read");
    }

    private IOException Marked(string message)
    {
        IOException failure = new(message);
        failure.Data[ThrownBy] = this;
        return failure;
    }
}
