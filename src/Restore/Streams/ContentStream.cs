using System.Security.Cryptography;
using Restore.Catalog;
using Restore.Format;

namespace Restore.Streams;

/// <summary>
/// The content of one file of a version, read-only and seekable. Each block is verified by its hash; a read from start to end also verifies the
/// whole file by its file hash. Not safe for concurrent use.
/// </summary>
/// <param name="source">The source of blocks.</param>
/// <param name="blocks">The blocks of the content.</param>
/// <param name="path">The original path, for messages.</param>
/// <param name="ownsSource">Whether the source is disposed with the stream.</param>
internal sealed class ContentStream(BlockSource source, ContentBlocks blocks, string path, bool ownsSource) : Stream
{
    private const string ThrownBy = "Restore.ContentStream";

    private readonly ReadAhead readAhead = new(source, blocks);
    private readonly IncrementalHash? hash = HasHashToVerify(source.Version, blocks.Content)
        ? IncrementalHash.CreateHash(source.Version.Layout.FileHash.AlgorithmName())
        : null;

    private readonly List<ByteRange> lost = [];
    private long position;
    private long hashedTo;
    private bool isClosed;

    public override bool CanRead => !isClosed;

    public override bool CanSeek => !isClosed;

    public override bool CanWrite => false;

    public override long Length => blocks.SizeBytes;

    /// <summary>The lost byte ranges that reads have found, in the order of the reads.</summary>
    public IReadOnlyList<ByteRange> Lost => lost;

    /// <summary>Whether the whole file was read and has a wrong file hash.</summary>
    public bool IsContradicted { get; private set; }

    public override long Position
    {
        get => position;
        set
        {
            ArgumentOutOfRangeException.ThrowIfNegative(value);
            position = value;
        }
    }

    /// <summary>Whether a read threw an exception, or one that it wraps: then bytes are lost, and nothing else has failed.</summary>
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
        int done = 0;
        while (done < wanted)
        {
            int index = blocks.IndexOf(position + done);
            int offset = (int)(position + done - blocks.OffsetOf(index));
            int count = (int)Math.Min(wanted - done, blocks.EndOf(index) - position - done);
            if (!source.TryCopy(blocks[index], offset, buffer.Span.Slice(done, count)))
            {
                if (done > 0)
                {
                    break;
                }

                await readAhead.BringAsync(index, offset + wanted, cancellationToken).ConfigureAwait(false);
                if (!await source.TryReadAsync(blocks[index], offset, buffer.Slice(done, count), cancellationToken).ConfigureAwait(false))
                {
                    throw Loss(index);
                }
            }

            readAhead.Pass(index);
            done += count;
        }

        Verify(buffer.Span[..done]);
        position += done;
        return done;
    }

    public override Task<int> ReadAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
        ReadAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

    /// <summary>Reads, and blocks the calling thread until bytes are available. <see cref="ReadAsync(Memory{byte}, CancellationToken)"/> does not.</summary>
    public override int Read(byte[] buffer, int offset, int count)
    {
        ValueTask<int> read = ReadAsync(buffer.AsMemory(offset, count));
#pragma warning disable RS0030 // Stream has a synchronous Read, and many readers of formats use nothing else; no continuation here needs the caller's thread
        return read.IsCompletedSuccessfully ? read.Result : read.AsTask().GetAwaiter().GetResult();
#pragma warning restore RS0030
    }

    public override long Seek(long offset, SeekOrigin origin) => Position = offset + origin switch
    {
        SeekOrigin.Begin => 0,
        SeekOrigin.Current => position,
        SeekOrigin.End => Length,
        _ => throw new ArgumentOutOfRangeException(nameof(origin)),
    };

    public override void Flush()
    {
    }

    public override void SetLength(long value) => throw new NotSupportedException("The stream is read-only");

    public override void Write(byte[] buffer, int offset, int count) => throw new NotSupportedException("The stream is read-only");

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
                source.Close();
            }
        }

        base.Dispose(disposing);
    }

    /// <summary>Whether the content has a hash that the hash of its only block does not cover.</summary>
    private static bool HasHashToVerify(VersionContent version, ContentId content) =>
        !content.IsNone && !version.IsCoveredByBlockHash(content) && version.HasFileHash(content);

    /// <summary>Hashes sequential reads; compares at the end.</summary>
    private void Verify(ReadOnlySpan<byte> read)
    {
        if (hash is null || read.IsEmpty || position != hashedTo)
        {
            return;
        }

        hash.AppendData(read);
        hashedTo += read.Length;
        if (hashedTo == Length && !hash.GetHashAndReset().AsSpan().SequenceEqual(source.Version.FileHashOf(blocks.Content)))
        {
            IsContradicted = true;
            throw Marked($"{path}: all blocks are sound, but the file does not have the recorded hash");
        }
    }

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
