namespace Restore.Compression.Zip;

/// <summary>
/// Writes the headers of zip archives. Numbers that are too long for their field are in a zip64
/// field.
/// </summary>
internal static class ZipHeaders
{
    public const int LocalBytes = 30;
    public const int DirectoryBytes = 46;

    /// <summary>The most bytes that follow the directory.</summary>
    public const int MaxEndBytes = EndBytes + End64Bytes;

    public const ushort SizesFollow = 1 << 3;
    public const ushort Utf8Names = 1 << 11;

    private const int EndBytes = 22;
    private const int End64Bytes = 56 + 20;
    private const int LocalLargeBytes = 20;
    private const int DirectoryLargeBytes = 28;
    private const ushort Version = 20;
    private const ushort Version64 = 45;
    private const ushort MadeOnUnix = (3 << 8) | Version64;
    private const ushort LargeField = 1;
    private const uint Full = uint.MaxValue;

    /// <summary>
    /// The time in DOS form, in UTC, so that the archive does not depend on the time zone of this
    /// machine.
    /// </summary>
    public static uint DosTime(DateTimeOffset time)
    {
        // The format's years are 1980 to 2107.
        DateTime utc = time.UtcDateTime.Year < 1980 ? new DateTime(1980, 1, 1) : time.UtcDateTime;
        int year = Math.Min(utc.Year - 1980, 127);
        return (uint)(
            (year << 25) | (utc.Month << 21) | (utc.Day << 16) | (utc.Hour << 11) | (utc.Minute << 5) | (utc.Second / 2)
        );
    }

    public static void WriteLocal(
        IBufferWriter<byte> output,
        in ZipItem item,
        ReadOnlySpan<byte> name,
        ReadOnlySpan<byte> extra
    )
    {
        int length = LocalBytes + name.Length + (item.IsLarge ? LocalLargeBytes : 0) + extra.Length;
        FillLocal(output.GetSpan(length), item, name, extra);
        output.Advance(length);
    }

    /// <summary>
    /// Writes a local header. It can also overwrite an earlier header with the same name and extra
    /// fields, once the sizes are known.
    /// </summary>
    public static void FillLocal(Span<byte> header, in ZipItem item, ReadOnlySpan<byte> name, ReadOnlySpan<byte> extra)
    {
        LittleEndian fields = new(header);
        fields.U32(0x04034B50);
        fields.U16(item.IsLarge ? Version64 : Version);
        fields.U16(item.Flags);
        fields.U16(item.Method);
        fields.U32(item.DosTime);
        fields.U32(item.Crc);
        fields.U32(item.IsLarge ? Full : checked((uint)item.PackedBytes));
        fields.U32(item.IsLarge ? Full : checked((uint)item.PlainBytes));
        fields.U16(name.Length);
        fields.U16((item.IsLarge ? LocalLargeBytes : 0) + extra.Length);
        fields.Bytes(name);
        if (item.IsLarge)
        {
            fields.U16(LargeField);
            fields.U16(LocalLargeBytes - 4);
            fields.U64(item.PlainBytes);
            fields.U64(item.PackedBytes);
        }

        fields.Bytes(extra);
    }

    public static void WriteDirectory(
        IBufferWriter<byte> output,
        in ZipItem item,
        ReadOnlySpan<byte> name,
        ReadOnlySpan<byte> extra
    )
    {
        bool isLarge = Math.Max(item.Offset, Math.Max(item.PlainBytes, item.PackedBytes)) >= Full;
        int length = DirectoryBytes + name.Length + (isLarge ? DirectoryLargeBytes : 0) + extra.Length;
        LittleEndian fields = new(output.GetSpan(length));
        fields.U32(0x02014B50);
        fields.U16(
            item.UnixMode != 0 ? MadeOnUnix
            : isLarge ? Version64
            : Version
        );
        fields.U16(isLarge ? Version64 : Version);
        fields.U16(item.Flags);
        fields.U16(item.Method);
        fields.U32(item.DosTime);
        fields.U32(item.Crc);
        fields.U32(isLarge ? Full : (uint)item.PackedBytes);
        fields.U32(isLarge ? Full : (uint)item.PlainBytes);
        fields.U16(name.Length);
        fields.U16((isLarge ? DirectoryLargeBytes : 0) + extra.Length);

        // No comment, the first disk, and only Unix attributes.
        fields.U16(0);
        fields.U16(0);
        fields.U16(0);
        fields.U32((uint)item.UnixMode << 16);
        fields.U32(isLarge ? Full : (uint)item.Offset);
        fields.Bytes(name);
        if (isLarge)
        {
            fields.U16(LargeField);
            fields.U16(DirectoryLargeBytes - 4);
            fields.U64(item.PlainBytes);
            fields.U64(item.PackedBytes);
            fields.U64(item.Offset);
        }

        fields.Bytes(extra);
        output.Advance(length);
    }

    public static void WriteEnd(IBufferWriter<byte> output, long entries, long directoryOffset, long directoryBytes)
    {
        bool isLarge = entries >= ushort.MaxValue || directoryOffset >= Full || directoryBytes >= Full;
        LittleEndian fields = new(output.GetSpan(MaxEndBytes));
        if (isLarge)
        {
            // The zip64 end record, which gives its length without its first 12 bytes, and then its
            // locator.
            fields.U32(0x06064B50);
            fields.U64(56 - 12);
            fields.U16(MadeOnUnix);
            fields.U16(Version64);
            fields.U64(0);
            fields.U64(entries);
            fields.U64(entries);
            fields.U64(directoryBytes);
            fields.U64(directoryOffset);
            fields.U32(0x07064B50);
            fields.U32(0);
            fields.U64(directoryOffset + directoryBytes);
            fields.U32(1);
        }

        fields.U32(0x06054B50);
        fields.U32(0);
        fields.U16((int)Math.Min(entries, ushort.MaxValue));
        fields.U16((int)Math.Min(entries, ushort.MaxValue));
        fields.U32((uint)Math.Min(directoryBytes, Full));
        fields.U32((uint)Math.Min(directoryOffset, Full));
        fields.U16(0);
        output.Advance(isLarge ? MaxEndBytes : EndBytes);
    }
}
