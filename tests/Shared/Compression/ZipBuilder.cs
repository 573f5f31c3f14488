using System.IO.Compression;
using System.IO.Hashing;
using System.Text;
using Restore.Compression;
using Restore.Compression.Zip;

namespace Restore.Tests.Compression;

/// <summary>
/// What follows the data of an entry whose local header does not give the lengths.
/// </summary>
internal enum DescriptorKind
{
    None,
    Signed,
    Unsigned,
    Signed64,
}

/// <summary>
/// Writes zip archives byte by byte, with the variants that .NET's own writer does not write.
/// </summary>
internal sealed class ZipBuilder
{
    private readonly List<byte> archive = [];
    private readonly List<byte> directory = [];
    private int count;

    /// <summary>Where the next entry will start.</summary>
    public int Position => archive.Count;

    /// <summary>The entries so far, as if the rest of the archive were cut off.</summary>
    public byte[] WithoutDirectory => [.. archive];

    public ZipBuilder AddRaw(byte[] bytes)
    {
        archive.AddRange(bytes);
        return this;
    }

    public ZipBuilder Add(
        string name,
        byte[] content,
        bool stored = false,
        DescriptorKind descriptor = DescriptorKind.None,
        bool zip64 = false,
        bool encrypted = false
    )
    {
        byte[] data = stored ? content : Deflate(content);
        ushort method = stored ? ZipMethod.Stored : ZipMethod.Deflate;
        int flags = (descriptor == DescriptorKind.None ? 0 : 8) | (encrypted ? 1 : 0);
        uint crc = Crc32.HashToUInt32(content);
        bool isKnown = descriptor == DescriptorKind.None;
        int offset = Position;

        byte[] extra = zip64 && isKnown ? Zip64Field(content.Length, data.Length) : [];
        archive.AddRange(
            Written(local =>
            {
                local.Write("PK\x03\x04"u8);
                WriteCommon(
                    local,
                    flags,
                    method,
                    isKnown ? crc : 0,
                    zip64,
                    isKnown ? data.Length : 0,
                    isKnown ? content.Length : 0,
                    name,
                    extra
                );
                local.Write(Encoding.UTF8.GetBytes(name));
                local.Write(extra);
                local.Write(data);
                WriteDescriptor(local, descriptor, crc, data.Length, content.Length);
            })
        );

        byte[] centralExtra = zip64 ? Zip64Field(content.Length, data.Length, offset) : [];
        directory.AddRange(
            Written(central =>
            {
                central.Write("PK\x01\x02"u8);
                central.Write((ushort)45);
                WriteCommon(central, flags, method, crc, zip64, data.Length, content.Length, name, centralExtra);
                central.Write(new byte[10]);
                central.Write(zip64 ? uint.MaxValue : (uint)offset);
                central.Write(Encoding.UTF8.GetBytes(name));
                central.Write(centralExtra);
            })
        );
        count++;
        return this;
    }

    public byte[] Finish(bool zip64 = false, string comment = "", byte[]? directoryBytes = null)
    {
        byte[] entries = directoryBytes ?? [.. directory];
        int offset = Position;
        archive.AddRange(entries);
        archive.AddRange(
            Written(end =>
            {
                if (zip64)
                {
                    WriteEnd64(end, count, offset, entries.Length, Position);
                }

                end.Write("PK\x05\x06"u8);
                end.Write(0);
                end.Write(zip64 ? ushort.MaxValue : (ushort)count);
                end.Write(zip64 ? ushort.MaxValue : (ushort)count);
                end.Write(zip64 ? uint.MaxValue : (uint)entries.Length);
                end.Write(zip64 ? uint.MaxValue : (uint)offset);
                end.Write((ushort)comment.Length);
                end.Write(Encoding.ASCII.GetBytes(comment));
            })
        );
        return [.. archive];
    }

    public static byte[] Deflate(byte[] content)
    {
        if (content.Length == 0)
        {
            // DeflateStream writes nothing at all for nothing; this is what other writers write:
            // one empty last block.
            return [3, 0];
        }

        using var data = new MemoryStream();
        using (var deflate = new DeflateStream(data, CompressionLevel.Optimal, leaveOpen: true))
        {
            deflate.Write(content);
        }

        return data.ToArray();
    }

    private static byte[] Written(Action<BinaryWriter> write)
    {
        using var bytes = new MemoryStream();
        using var writer = new BinaryWriter(bytes);
        write(writer);
        return bytes.ToArray();
    }

    private static void WriteCommon(
        BinaryWriter writer,
        int flags,
        ushort method,
        uint crc,
        bool zip64,
        int dataLength,
        int length,
        string name,
        byte[] extra
    )
    {
        writer.Write((ushort)45);
        writer.Write((ushort)flags);
        writer.Write(method);
        writer.Write(0);
        writer.Write(crc);
        writer.Write(extra.Length > 0 && zip64 ? uint.MaxValue : (uint)dataLength);
        writer.Write(extra.Length > 0 && zip64 ? uint.MaxValue : (uint)length);
        writer.Write((ushort)Encoding.UTF8.GetByteCount(name));
        writer.Write((ushort)extra.Length);
    }

    private static void WriteDescriptor(
        BinaryWriter writer,
        DescriptorKind kind,
        uint crc,
        long dataLength,
        long length
    )
    {
        if (kind is DescriptorKind.Signed or DescriptorKind.Signed64)
        {
            writer.Write("PK\x07\x08"u8);
        }

        if (kind == DescriptorKind.Signed64)
        {
            writer.Write(crc);
            writer.Write(dataLength);
            writer.Write(length);
        }
        else if (kind != DescriptorKind.None)
        {
            writer.Write(crc);
            writer.Write((uint)dataLength);
            writer.Write((uint)length);
        }
    }

    private static void WriteEnd64(BinaryWriter writer, long count, long offset, long length, long recordOffset)
    {
        writer.Write("PK\x06\x06"u8);
        writer.Write(44L);
        writer.Write((ushort)45);
        writer.Write((ushort)45);
        writer.Write(0L);
        writer.Write(count);
        writer.Write(count);
        writer.Write(length);
        writer.Write(offset);
        writer.Write("PK\x06\x07"u8);
        writer.Write(0);
        writer.Write(recordOffset);
        writer.Write(1);
    }

    private static byte[] Zip64Field(params long[] values) =>
        Written(field =>
        {
            field.Write((ushort)1);
            field.Write((ushort)(values.Length * sizeof(long)));
            foreach (long value in values)
            {
                field.Write(value);
            }
        });
}
