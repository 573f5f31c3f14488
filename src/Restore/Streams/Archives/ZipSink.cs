using System.IO.Compression;
using System.IO.Hashing;

namespace Restore.Streams.Archives;

/// <summary>
/// Writes a zip archive to a stream that cannot seek: sizes and CRC-32 follow each file. The directory, about 100 bytes and the name for each entry, is kept
/// until the end.
/// </summary>
internal sealed class ZipSink(Stream archive) : ArchiveSink
{
    private const uint Most32 = uint.MaxValue;
    private const ushort Most16 = ushort.MaxValue;

    // Deflate can make data longer by less than this share.
    private const long LargestPlain = Most32 - (Most32 / 1000);
    private const ushort Flags = 0x0808; // sizes follow the data; names are UTF-8
    private const ushort StoredFlags = 0x0800;
    private const ushort MadeOnUnix = 0x032D;
    private const int FileType = 0x8000;
    private const int FolderType = 0x4000;
    private const int LinkType = 0xA000;

    private readonly Stream output = archive;
    private readonly ArrayBufferWriter<byte> directory = new();
    private long position;
    private long entries;

    protected override async Task WriteEntryAsync(ExportedEntry entry, string name, Stream content, CancellationToken cancellationToken)
    {
        byte[] path = Encoding.UTF8.GetBytes(entry.Entry.Kind == BackupEntryKind.Folder ? name + "/" : name);
        ZipItem item = new(path, ExtraOf(entry), TimeOf(entry), ModeOf(entry), position);
        if (entry.Entry.Kind == BackupEntryKind.File && entry.Entry.SizeBytes > 0)
        {
            item = await WriteFileAsync(entry, item, content, cancellationToken).ConfigureAwait(false);
        }
        else
        {
            byte[] link = entry.Entry.Kind == BackupEntryKind.Symlink ? Encoding.UTF8.GetBytes(entry.LinkTarget ?? "") : [];
            item = item with { Crc = Crc32.HashToUInt32(link), PlainBytes = link.Length, PackedBytes = link.Length };
            await WriteAsync(LocalHeader(item, StoredFlags), cancellationToken).ConfigureAwait(false);
            await WriteAsync(link, cancellationToken).ConfigureAwait(false);
        }

        AddToDirectory(item);
        entries++;
    }

    protected override async Task WriteEndAsync(CancellationToken cancellationToken)
    {
        long start = position;
        await WriteAsync(directory.WrittenMemory, cancellationToken).ConfigureAwait(false);
        long length = position - start;
        if (entries >= Most16 || start >= Most32 || length >= Most32)
        {
            Fields end = new Fields().U32(0x06064B50).U64(44).U16(MadeOnUnix).U16(45).U32(0).U32(0).U64(entries).U64(entries).U64(length).U64(start);
            end.U32(0x07064B50).U32(0).U64(position).U32(1);
            await WriteAsync(end.ToArray(), cancellationToken).ConfigureAwait(false);
        }

        ushort count = (ushort)Math.Min(entries, Most16);
        Fields last = new Fields().U32(0x06054B50).U16(0).U16(0).U16(count).U16(count).U32(Capped(length)).U32(Capped(start)).U16(0);
        await WriteAsync(last.ToArray(), cancellationToken).ConfigureAwait(false);
    }

    private async Task<ZipItem> WriteFileAsync(ExportedEntry entry, ZipItem item, Stream content, CancellationToken cancellationToken)
    {
        item = item with { IsDeflated = true, IsLarge = entry.Entry.SizeBytes > LargestPlain };
        await WriteAsync(LocalHeader(item, Flags), cancellationToken).ConfigureAwait(false);
        long start = position;
        Crc32 hash = new();
        CountingStream packed = new(this);
        DeflateStream deflate = new(packed, CompressionLevel.Optimal, leaveOpen: true);
        await using (deflate.ConfigureAwait(false))
        {
            await CopyAsync(entry, content, async bytes =>
            {
                hash.Append(bytes.Span);
                await deflate.WriteAsync(bytes, cancellationToken).ConfigureAwait(false);
            }, cancellationToken).ConfigureAwait(false);
        }

        uint crc = hash.GetCurrentHashAsUInt32();
        item = item with { Crc = crc, PlainBytes = entry.Entry.SizeBytes, PackedBytes = position - start };
        Fields sizes = new Fields().U32(0x08074B50).U32(crc);
        sizes = item.IsLarge ? sizes.U64(item.PackedBytes).U64(item.PlainBytes) : sizes.U32((uint)item.PackedBytes).U32((uint)item.PlainBytes);
        await WriteAsync(sizes.ToArray(), cancellationToken).ConfigureAwait(false);
        return item;
    }

    private static byte[] LocalHeader(ZipItem item, ushort flags)
    {
        bool isKnown = flags == StoredFlags;
        byte[] extra = item.IsLarge ? [.. new Fields().U16(1).U16(16).U64(0).U64(0).ToArray(), .. item.Extra] : item.Extra;
        uint size = item.IsLarge ? Most32 : 0;
        return new Fields().U32(0x04034B50).U16(item.IsLarge ? 45 : 20).U16(flags).U16(item.IsDeflated ? 8 : 0).U32(item.DosTime)
            .U32(item.Crc).U32(isKnown ? (uint)item.PackedBytes : size).U32(isKnown ? (uint)item.PlainBytes : size)
            .U16((ushort)item.Path.Length).U16((ushort)extra.Length).Bytes(item.Path).Bytes(extra).ToArray();
    }

    private void AddToDirectory(ZipItem item)
    {
        bool isLarge = item.IsLarge || item.Offset >= Most32;
        Fields large = new();
        if (isLarge)
        {
            large.U16(1).U16(24).U64(item.PlainBytes).U64(item.PackedBytes).U64(item.Offset);
        }

        byte[] extra = [.. large.ToArray(), .. item.Extra];
        byte[] row = new Fields().U32(0x02014B50).U16(MadeOnUnix).U16(isLarge ? 45 : 20).U16(item.IsDeflated ? Flags : StoredFlags).U16(item.IsDeflated ? 8 : 0)
            .U32(item.DosTime).U32(item.Crc).U32(isLarge ? Most32 : (uint)item.PackedBytes).U32(isLarge ? Most32 : (uint)item.PlainBytes)
            .U16((ushort)item.Path.Length).U16((ushort)extra.Length).U16(0).U16(0).U16(0).U32((uint)item.Mode << 16)
            .U32(isLarge ? Most32 : (uint)item.Offset).Bytes(item.Path).Bytes(extra).ToArray();
        directory.Write(row);
    }

    /// <summary>The time in UTC seconds ("UT"), and the numbers of owner and group ("ux").</summary>
    private static byte[] ExtraOf(ExportedEntry entry)
    {
        Fields extra = new();
        if (entry.LastModified?.ToUnixTimeSeconds() is long seconds and >= int.MinValue and <= int.MaxValue)
        {
            extra.U16(0x5455).U16(5).U8(1).U32((uint)(int)seconds);
        }

        if (entry.UserId is uint user && entry.GroupId is uint group)
        {
            extra.U16(0x7875).U16(11).U8(1).U8(4).U32(user).U8(4).U32(group);
        }

        return extra.ToArray();
    }

    /// <summary>The time in the form of DOS, in UTC, as the zone of this machine would make the archive another one.</summary>
    private static uint TimeOf(ExportedEntry entry)
    {
        DateTime time = (entry.LastModified ?? DateTimeOffset.UnixEpoch).UtcDateTime;
        return time.Year < 1980 ? (1u << 21) | (1u << 16)
            : (uint)((Math.Min(time.Year - 1980, 127) << 25) | (time.Month << 21) | (time.Day << 16)
                | (time.Hour << 11) | (time.Minute << 5) | (time.Second / 2));
    }

    private static int ModeOf(ExportedEntry entry) => entry.Entry.Kind switch
    {
        BackupEntryKind.Folder => FolderType | ((int?)entry.Mode ?? 0x1ED),
        BackupEntryKind.Symlink => LinkType | 0x1FF,
        _ => FileType | ((int?)entry.Mode ?? 0x1A4),
    };

    private static uint Capped(long value) => (uint)Math.Min(value, Most32);

    private async ValueTask WriteAsync(ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken)
    {
        await output.WriteAsync(bytes, cancellationToken).ConfigureAwait(false);
        position += bytes.Length;
    }

    private sealed record ZipItem(byte[] Path, byte[] Extra, uint DosTime, int Mode, long Offset)
    {
        public bool IsDeflated { get; init; }

        /// <summary>Whether its sizes take eight bytes.</summary>
        public bool IsLarge { get; init; }

        public uint Crc { get; init; }

        public long PlainBytes { get; init; }

        public long PackedBytes { get; init; }
    }

    /// <summary>Numbers in little-endian order.</summary>
    private sealed class Fields
    {
        private readonly List<byte> bytes = [];

        public Fields U8(byte value) => Bytes([value]);

        public Fields U16(int value) => Bytes([(byte)value, (byte)(value >> 8)]);

        public Fields U32(uint value)
        {
            Span<byte> field = stackalloc byte[sizeof(uint)];
            BinaryPrimitives.WriteUInt32LittleEndian(field, value);
            return Bytes(field);
        }

        public Fields U64(long value)
        {
            Span<byte> field = stackalloc byte[sizeof(long)];
            BinaryPrimitives.WriteInt64LittleEndian(field, value);
            return Bytes(field);
        }

        public Fields Bytes(ReadOnlySpan<byte> value)
        {
            bytes.AddRange(value);
            return this;
        }

        public byte[] ToArray() => bytes.ToArray();
    }

    /// <summary>Passes packed bytes to the archive.</summary>
    private sealed class CountingStream(ZipSink sink) : Stream
    {
        public override bool CanRead => false;

        public override bool CanSeek => false;

        public override bool CanWrite => true;

        public override long Length => throw new NotSupportedException();

        public override long Position { get => throw new NotSupportedException(); set => throw new NotSupportedException(); }

        public override void Flush()
        {
        }

        public override int Read(byte[] buffer, int offset, int count) => throw new NotSupportedException();

        public override long Seek(long offset, SeekOrigin origin) => throw new NotSupportedException();

        public override void SetLength(long value) => throw new NotSupportedException();

        public override void Write(byte[] buffer, int offset, int count)
        {
            sink.output.Write(buffer, offset, count);
            sink.position += count;
        }

        public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
            WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default) =>
            sink.WriteAsync(buffer, cancellationToken);
    }
}
