using System.IO.Compression;
using System.IO.Hashing;
using Restore.Compression.Methods;
using Restore.Compression.Zip;

namespace Restore.Streams.Archives;

/// <summary>
/// Writes a zip archive to a stream that cannot seek: sizes and CRC-32 follow each file. The
/// directory, about 100 bytes and the name for each entry, is kept until the end.
/// </summary>
internal sealed class ZipSink(Stream archive, CompressionLevel level) : ArchiveSink
{
    // Deflate can make data longer by less than this share.
    private const long LargestPlain = uint.MaxValue - (uint.MaxValue / 1000);

    private const int FileType = 0x8000;
    private const int FolderType = 0x4000;
    private const int LinkType = 0xA000;

    private readonly Stream output = archive;
    private readonly ArrayBufferWriter<byte> headers = new();
    private readonly ArrayBufferWriter<byte> directory = new();
    private long position;
    private long entries;

    protected override async Task WriteEntryAsync(
        ExportedEntry entry,
        string name,
        Stream content,
        CancellationToken cancellationToken
    )
    {
        bool isDeflated = entry.Entry.Kind == BackupEntryKind.File && entry.Entry.SizeBytes > 0;
        byte[] path = Encoding.UTF8.GetBytes(entry.Entry.Kind == BackupEntryKind.Folder ? name + "/" : name);
        byte[] extra = ExtraOf(entry);
        uint time = ZipHeaders.DosTime(entry.LastModified ?? DateTimeOffset.UnixEpoch);
        ZipItem item = isDeflated
            ? new ZipItem(ZipMethod.Deflate, ZipHeaders.SizesFollow | ZipHeaders.Utf8Names, time, position)
            : new ZipItem(ZipMethod.Stored, ZipHeaders.Utf8Names, time, position);
        item = item with { UnixMode = ModeOf(entry) };
        if (isDeflated)
        {
            // The local header says whether the sizes have 64 bits, and is written before the
            // compressed size is known.
            item = item with { IsLarge = entry.Entry.SizeBytes > LargestPlain };
            ZipHeaders.WriteLocal(headers, item, path, extra);
            await WriteHeadersAsync(cancellationToken).ConfigureAwait(false);
            item = await WriteFileAsync(entry, item, content, cancellationToken).ConfigureAwait(false);
        }
        else
        {
            byte[] link =
                entry.Entry.Kind == BackupEntryKind.Symlink ? Encoding.UTF8.GetBytes(entry.LinkTarget ?? "") : [];
            item = item with { Crc = Crc32.HashToUInt32(link), PlainBytes = link.Length, PackedBytes = link.Length };
            ZipHeaders.WriteLocal(headers, item, path, extra);
            headers.Write(link);
            await WriteHeadersAsync(cancellationToken).ConfigureAwait(false);
        }

        ZipHeaders.WriteDirectory(directory, item, path, extra);
        entries++;
    }

    protected override async Task WriteEndAsync(CancellationToken cancellationToken)
    {
        long start = position;
        await WriteAsync(directory.WrittenMemory, cancellationToken).ConfigureAwait(false);
        ZipHeaders.WriteEnd(headers, entries, start, directory.WrittenCount);
        await WriteHeadersAsync(cancellationToken).ConfigureAwait(false);
    }

    private async Task<ZipItem> WriteFileAsync(
        ExportedEntry entry,
        ZipItem item,
        Stream content,
        CancellationToken cancellationToken
    )
    {
        long start = position;
        using PartsCrc32 hash = new();
        PackedOutput packed = new(this);
        Stream deflate =
            level == CompressionLevel.NoCompression ? new StoredStream(packed) : new DeflateStream(packed, level);
        await using (deflate.ConfigureAwait(false))
        {
            await CopyAsync(
                    entry,
                    content,
                    async bytes =>
                    {
                        hash.Append(bytes.Span);
                        await deflate.WriteAsync(bytes, cancellationToken).ConfigureAwait(false);
                    },
                    cancellationToken
                )
                .ConfigureAwait(false);
        }

        item = item with { Crc = hash.Finish(), PlainBytes = entry.Entry.SizeBytes, PackedBytes = position - start };
        WriteDescriptor(item);
        await WriteHeadersAsync(cancellationToken).ConfigureAwait(false);
        return item;
    }

    private void WriteDescriptor(in ZipItem item)
    {
        int length = item.IsLarge ? 24 : 16;
        LittleEndian fields = new(headers.GetSpan(length));
        fields.U32(0x08074B50);
        fields.U32(item.Crc);
        if (item.IsLarge)
        {
            fields.U64(item.PackedBytes);
            fields.U64(item.PlainBytes);
        }
        else
        {
            fields.U32((uint)item.PackedBytes);
            fields.U32((uint)item.PlainBytes);
        }

        headers.Advance(length);
    }

    /// <summary>
    /// The time in UTC seconds ("UT"), and the numbers of owner and group ("ux").
    /// </summary>
    private static byte[] ExtraOf(ExportedEntry entry)
    {
        const int TimeBytes = 9;
        const int OwnerBytes = 15;
        byte[] extra = new byte[TimeBytes + OwnerBytes];
        LittleEndian fields = new(extra);
        int length = 0;
        if (entry.LastModified?.ToUnixTimeSeconds() is long seconds and >= int.MinValue and <= int.MaxValue)
        {
            fields.U16(0x5455);
            fields.U16(TimeBytes - 4);
            fields.U8(1);
            fields.U32((uint)(int)seconds);
            length += TimeBytes;
        }

        if (entry.UserId is uint user && entry.GroupId is uint group)
        {
            fields.U16(0x7875);
            fields.U16(OwnerBytes - 4);
            fields.U8(1);
            fields.U8(sizeof(uint));
            fields.U32(user);
            fields.U8(sizeof(uint));
            fields.U32(group);
            length += OwnerBytes;
        }

        return extra[..length];
    }

    private static int ModeOf(ExportedEntry entry) =>
        entry.Entry.Kind switch
        {
            BackupEntryKind.Folder => FolderType | (ModeWithoutList(entry) ?? 0x1ED),
            BackupEntryKind.Symlink => LinkType | 0x1FF,
            _ => FileType | (ModeWithoutList(entry) ?? 0x1A4),
        };

    private async ValueTask WriteHeadersAsync(CancellationToken cancellationToken)
    {
        await WriteAsync(headers.WrittenMemory, cancellationToken).ConfigureAwait(false);
        headers.ResetWrittenCount();
    }

    private async ValueTask WriteAsync(ReadOnlyMemory<byte> bytes, CancellationToken cancellationToken)
    {
        await output.WriteAsync(bytes, cancellationToken).ConfigureAwait(false);
        position += bytes.Length;
    }

    /// <summary>Passes packed bytes to the archive.</summary>
    private sealed class PackedOutput(ZipSink sink) : ForwardWriteStream
    {
        public override void Write(ReadOnlySpan<byte> buffer)
        {
            sink.output.Write(buffer);
            sink.position += buffer.Length;
        }

        public override Task WriteAsync(byte[] buffer, int offset, int count, CancellationToken cancellationToken) =>
            WriteAsync(buffer.AsMemory(offset, count), cancellationToken).AsTask();

        public override ValueTask WriteAsync(
            ReadOnlyMemory<byte> buffer,
            CancellationToken cancellationToken = default
        ) => sink.WriteAsync(buffer, cancellationToken);
    }
}
