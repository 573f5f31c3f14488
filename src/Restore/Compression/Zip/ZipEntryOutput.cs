using System.IO.Compression;
using System.IO.Hashing;

namespace Restore.Compression.Zip;

/// <summary>
/// An entry of a zip archive that is being written: counts, checksums and compresses the data.
/// </summary>
internal sealed class ZipEntryOutput : ForwardWriteStream
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

    public override void Write(ReadOnlySpan<byte> buffer)
    {
        crc.Append(buffer);
        lengthBytes += buffer.Length;
        deflate.Write(buffer);
    }

    protected override void Dispose(bool disposing)
    {
        if (disposing && !isClosed)
        {
            isClosed = true;

            // The end of the compressed data is written now, before the receiver measures its
            // length.
            deflate.Dispose();
            onClosed(crc.GetCurrentHashAsUInt32(), lengthBytes);
        }

        base.Dispose(disposing);
    }

    private sealed class OutputStream(PooledOutput output) : ForwardWriteStream
    {
        public override void Write(ReadOnlySpan<byte> buffer) => output.Write(buffer);
    }
}
