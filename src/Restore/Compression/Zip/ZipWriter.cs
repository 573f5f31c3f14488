using System.IO.Compression;
using System.IO.Hashing;

namespace Restore.Compression.Zip;

/// <summary>The simplest form, which every reader accepts: stored and Deflate entries, sizes in the local headers, no data descriptors; zip64 only for numbers
/// that need it.</summary>
internal sealed class ZipWriter(PooledOutput output, DateTimeOffset time)
{
    /// <summary>Bytes that an entry needs besides its data and twice its name.</summary>
    public const int EntryOverheadBytes = LocalHeaderBytes + DirectoryHeaderBytes;

    private const int LocalHeaderBytes = 30;
    private const int DirectoryHeaderBytes = 46;
    private const int EndBytes = 22;
    private const int End64Bytes = 56 + 20;
    private const int Zip64FieldBytes = 20;
    private const ushort Version = 20;
    private const ushort Version64 = 45;
    private const ushort Utf8Names = 1 << 11;

    private readonly ArrayBufferWriter<byte> directory = new();
    private readonly int start = output.Length;
    private readonly uint dosTime = DosTime(time);
    private int entries;

    /// <summary>Length of the archive if it were finished now.</summary>
    public int FinishedLength => output.Length - start + directory.WrittenCount + EndBytes + End64Bytes;

    /// <summary>Adds an entry whose data is compressed already.</summary>
    public void Add(ReadOnlySpan<byte> name, ReadOnlySpan<byte> data, ushort method, uint crc, int lengthBytes)
    {
        int offset = output.Length - start;
        LocalHeader(name, method, isLarge: false);
        Patch(offset, crc, data.Length, lengthBytes, isLarge: false);
        output.Write(data);
        DirectoryEntry(name, method, crc, data.Length, lengthBytes, offset);
    }

    public void AddStored(ReadOnlySpan<byte> name, ReadOnlySpan<byte> content) =>
        Add(name, content, ZipMethod.Stored, Crc32.HashToUInt32(content), content.Length);

    /// <summary>Close the stream before adding anything else. A large entry may have 4 GiB or more.</summary>
    public Stream Open(string name, int level, bool isLarge = false)
    {
        byte[] utf8 = Encoding.UTF8.GetBytes(name);
        int offset = output.Length - start;
        LocalHeader(utf8, ZipMethod.Deflate, isLarge);
        int dataOffset = output.Length;
        return new ZipEntryOutput(output, level, (crc, lengthBytes) =>
        {
            long compressed = output.Length - dataOffset;
            Patch(offset, crc, compressed, lengthBytes, isLarge);
            DirectoryEntry(utf8, ZipMethod.Deflate, crc, compressed, lengthBytes, offset);
        });
    }

    public void Finish()
    {
        int offset = output.Length - start;
        output.Write(directory.WrittenSpan);
        bool is64 = entries > ushort.MaxValue;
        if (is64)
        {
            End64(offset);
        }

        Span<byte> end = Take(EndBytes);
        BinaryPrimitives.WriteUInt32LittleEndian(end, 0x06054B50);
        ushort count = is64 ? ushort.MaxValue : (ushort)entries;
        BinaryPrimitives.WriteUInt16LittleEndian(end[8..], count);
        BinaryPrimitives.WriteUInt16LittleEndian(end[10..], count);
        BinaryPrimitives.WriteInt32LittleEndian(end[12..], directory.WrittenCount);
        BinaryPrimitives.WriteInt32LittleEndian(end[16..], offset);
    }

    private static uint DosTime(DateTimeOffset time)
    {
        // The format's years are 1980 to 2107.
        DateTime utc = time.UtcDateTime;
        int year = Math.Clamp(utc.Year - 1980, 0, 127);
        return (uint)((year << 25) | (utc.Month << 21) | (utc.Day << 16) | (utc.Hour << 11) | (utc.Minute << 5) | (utc.Second / 2));
    }

    private static ushort Flags(ReadOnlySpan<byte> name) => Ascii.IsValid(name) ? (ushort)0 : Utf8Names;

    private Span<byte> Take(int count)
    {
        Span<byte> bytes = output.GetSpan(count)[..count];
        bytes.Clear();
        output.Advance(count);
        return bytes;
    }

    private void LocalHeader(ReadOnlySpan<byte> name, ushort method, bool isLarge)
    {
        Span<byte> header = Take(LocalHeaderBytes);
        BinaryPrimitives.WriteUInt32LittleEndian(header, 0x04034B50);
        BinaryPrimitives.WriteUInt16LittleEndian(header[4..], isLarge ? Version64 : Version);
        BinaryPrimitives.WriteUInt16LittleEndian(header[6..], Flags(name));
        BinaryPrimitives.WriteUInt16LittleEndian(header[8..], method);
        BinaryPrimitives.WriteUInt32LittleEndian(header[10..], dosTime);
        BinaryPrimitives.WriteUInt16LittleEndian(header[26..], (ushort)name.Length);
        BinaryPrimitives.WriteUInt16LittleEndian(header[28..], isLarge ? (ushort)Zip64FieldBytes : (ushort)0);
        output.Write(name);
        if (isLarge)
        {
            Span<byte> field = Take(Zip64FieldBytes);
            BinaryPrimitives.WriteUInt16LittleEndian(field, 1);
            BinaryPrimitives.WriteUInt16LittleEndian(field[2..], Zip64FieldBytes - 4);
        }
    }

    private void Patch(int offset, uint crc, long compressed, long length, bool isLarge)
    {
        Span<byte> header = output.Written[(start + offset)..];
        BinaryPrimitives.WriteUInt32LittleEndian(header[14..], crc);
        BinaryPrimitives.WriteUInt32LittleEndian(header[18..], isLarge ? uint.MaxValue : checked((uint)compressed));
        BinaryPrimitives.WriteUInt32LittleEndian(header[22..], isLarge ? uint.MaxValue : checked((uint)length));
        if (isLarge)
        {
            Span<byte> field = header[(LocalHeaderBytes + BinaryPrimitives.ReadUInt16LittleEndian(header[26..]) + 4)..];
            BinaryPrimitives.WriteInt64LittleEndian(field, length);
            BinaryPrimitives.WriteInt64LittleEndian(field[8..], compressed);
        }
    }

    private void DirectoryEntry(ReadOnlySpan<byte> name, ushort method, uint crc, long compressed, long length, int offset)
    {
        // The archive is below 2 GiB, so only the length of the content can be too long for its field.
        bool isLarge = length >= uint.MaxValue;
        Span<byte> header = directory.GetSpan(DirectoryHeaderBytes)[..DirectoryHeaderBytes];
        header.Clear();
        BinaryPrimitives.WriteUInt32LittleEndian(header, 0x02014B50);
        BinaryPrimitives.WriteUInt16LittleEndian(header[4..], isLarge ? Version64 : Version);
        BinaryPrimitives.WriteUInt16LittleEndian(header[6..], isLarge ? Version64 : Version);
        BinaryPrimitives.WriteUInt16LittleEndian(header[8..], Flags(name));
        BinaryPrimitives.WriteUInt16LittleEndian(header[10..], method);
        BinaryPrimitives.WriteUInt32LittleEndian(header[12..], dosTime);
        BinaryPrimitives.WriteUInt32LittleEndian(header[16..], crc);
        BinaryPrimitives.WriteUInt32LittleEndian(header[20..], checked((uint)compressed));
        BinaryPrimitives.WriteUInt32LittleEndian(header[24..], isLarge ? uint.MaxValue : (uint)length);
        BinaryPrimitives.WriteUInt16LittleEndian(header[28..], (ushort)name.Length);
        BinaryPrimitives.WriteUInt16LittleEndian(header[30..], isLarge ? (ushort)12 : (ushort)0);
        BinaryPrimitives.WriteInt32LittleEndian(header[42..], offset);
        directory.Advance(DirectoryHeaderBytes);
        directory.Write(name);
        if (isLarge)
        {
            Span<byte> field = directory.GetSpan(12);
            BinaryPrimitives.WriteUInt16LittleEndian(field, 1);
            BinaryPrimitives.WriteUInt16LittleEndian(field[2..], sizeof(long));
            BinaryPrimitives.WriteInt64LittleEndian(field[4..], length);
            directory.Advance(12);
        }

        entries++;
    }

    private void End64(int directoryOffset)
    {
        int offset = output.Length - start;
        Span<byte> end = Take(End64Bytes);
        BinaryPrimitives.WriteUInt32LittleEndian(end, 0x06064B50);
        BinaryPrimitives.WriteInt64LittleEndian(end[4..], 56 - 12);
        BinaryPrimitives.WriteUInt16LittleEndian(end[12..], Version64);
        BinaryPrimitives.WriteUInt16LittleEndian(end[14..], Version64);
        BinaryPrimitives.WriteInt64LittleEndian(end[24..], entries);
        BinaryPrimitives.WriteInt64LittleEndian(end[32..], entries);
        BinaryPrimitives.WriteInt64LittleEndian(end[40..], directory.WrittenCount);
        BinaryPrimitives.WriteInt64LittleEndian(end[48..], directoryOffset);
        Span<byte> locator = end[56..];
        BinaryPrimitives.WriteUInt32LittleEndian(locator, 0x07064B50);
        BinaryPrimitives.WriteInt64LittleEndian(locator[8..], offset);
        BinaryPrimitives.WriteInt32LittleEndian(locator[16..], 1);
    }
}

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

/// <summary>The methods that this library writes; <see cref="Methods.CompressionMethods"/> has all that it reads.</summary>
internal static class ZipMethod
{
    public const ushort Stored = 0;
    public const ushort Deflate = 8;
}
