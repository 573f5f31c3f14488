using System.IO.Hashing;

namespace Restore.Compression.Zip;

/// <summary>
/// Writes a zip archive in the simplest form, which every reader accepts: stored and Deflate
/// entries, sizes in the local headers, no data descriptors, and zip64 only for numbers that need
/// it.
/// </summary>
internal sealed class ZipWriter(PooledOutput output, BufferPool pool, DateTimeOffset time) : IDisposable
{
    /// <summary>Bytes that an entry needs in addition to its data and twice its name.</summary>
    public const int EntryOverheadBytes = ZipHeaders.LocalBytes + ZipHeaders.DirectoryBytes;

    private const int FirstDirectoryBytes = 4096;

    private readonly PooledOutput directory = new(pool, FirstDirectoryBytes);
    private readonly int start = output.Length;
    private readonly uint dosTime = ZipHeaders.DosTime(time);
    private int entries;

    /// <summary>Length of the archive if it were finished now.</summary>
    public int FinishedLength => output.Length - start + directory.Length + ZipHeaders.MaxEndBytes;

    /// <summary>Adds an entry with data that is already compressed.</summary>
    public void Add(ReadOnlySpan<byte> name, ReadOnlySpan<byte> data, ushort method, uint crc, int lengthBytes)
    {
        ZipItem item = NewItem(name, method) with { Crc = crc, PackedBytes = data.Length, PlainBytes = lengthBytes };
        ZipHeaders.WriteLocal(output, item, name, extra: []);
        output.Write(data);
        AddToDirectory(item, name);
    }

    public void AddStored(ReadOnlySpan<byte> name, ReadOnlySpan<byte> content) =>
        Add(name, content, ZipMethod.Stored, Crc32.HashToUInt32(content), content.Length);

    /// <summary>
    /// Opens an entry as a stream. Close the stream before adding anything else. A large entry may
    /// have 4 GiB or more.
    /// </summary>
    public Stream Open(string name, int level, bool isLarge = false)
    {
        byte[] utf8 = Encoding.UTF8.GetBytes(name);
        ZipItem item = NewItem(utf8, ZipMethod.Deflate) with { IsLarge = isLarge };
        ZipHeaders.WriteLocal(output, item, utf8, extra: []);
        int dataOffset = output.Length;
        return new ZipEntryOutput(
            output,
            level,
            (crc, lengthBytes) =>
            {
                // Only now are the sizes known. The archive is in memory, so they replace the zeros
                // in the local header, and no descriptor is needed.
                ZipItem known = item with
                {
                    Crc = crc,
                    PackedBytes = output.Length - dataOffset,
                    PlainBytes = lengthBytes,
                };
                ZipHeaders.FillLocal(output.Written[(start + (int)item.Offset)..], known, utf8, extra: []);
                AddToDirectory(known, utf8);
            }
        );
    }

    public void Finish()
    {
        int offset = output.Length - start;
        output.Write(directory.Written);
        ZipHeaders.WriteEnd(output, entries, offset, directory.Length);
    }

    public void Dispose() => directory.Dispose();

    private ZipItem NewItem(ReadOnlySpan<byte> name, ushort method) =>
        new(method, Ascii.IsValid(name) ? (ushort)0 : ZipHeaders.Utf8Names, dosTime, output.Length - start);

    private void AddToDirectory(in ZipItem item, ReadOnlySpan<byte> name)
    {
        ZipHeaders.WriteDirectory(directory, item, name, extra: []);
        entries++;
    }
}
