using System.Buffers;
using System.IO.Compression;
using System.IO.Hashing;
using Restore.Memory;

namespace Restore.Compression.Zip;

/// <summary>An entry of a zip archive that is being written: counts, checksums and compresses the data.</summary>
internal sealed class ZipEntryOutput : Stream
{
    private readonly Crc32 crc = new();
    private readonly DeflateStream deflate;
    private readonly Action<uint, long> onClosed;
    private long lengthBytes;
    private bool isClosed;

    public ZipEntryOutput(PooledOutput output, int level, Action<uint, long> onClosed)
    {
        this.onClosed = onClosed;
        deflate = new DeflateStream(new OutputStream(output), new ZLibCompressionOptions { CompressionLevel = level });
    }

    public override bool CanRead => false;

    public override bool CanSeek => false;

    public override bool CanWrite => true;

    public override long Length => lengthBytes;

    public override long Position
    {
        get => lengthBytes;
        set => throw new NotSupportedException();
    }

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        crc.Append(buffer);
        lengthBytes += buffer.Length;
        deflate.Write(buffer);
    }

    public override void Write(byte[] buffer, int offset, int count) => Write(buffer.AsSpan(offset, count));

    public override void Flush()
    {
        // A flush would cut the compressed data into pieces, and nobody reads it before the entry is closed.
    }

    public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

    public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

    public override void SetLength(long value) => throw new NotSupportedException();

    protected override void Dispose(bool disposing)
    {
        if (disposing && !isClosed)
        {
            isClosed = true;
            deflate.Dispose();
            onClosed(crc.GetCurrentHashAsUInt32(), lengthBytes);
        }

        base.Dispose(disposing);
    }

    private sealed class OutputStream(PooledOutput output) : Stream
    {
        public override bool CanRead => false;

        public override bool CanSeek => false;

        public override bool CanWrite => true;

        public override long Length => throw new NotSupportedException();

        public override long Position
        {
            get => throw new NotSupportedException();
            set => throw new NotSupportedException();
        }

        public override void Write(ReadOnlySpan<byte> buffer) => output.Write(buffer);

        public override void Write(byte[] buffer, int offset, int count) => output.Write(buffer.AsSpan(offset, count));

        public override void Flush()
        {
            // Memory needs no flush.
        }

        public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();
    }
}
