namespace Restore.Compression;

/// <summary>The compression methods of zip entries by their numbers, and their names for messages.</summary>
internal static class ZipMethod
{
    public const ushort Stored = 0;
    public const ushort Deflate = 8;
    public const ushort Deflate64 = 9;
    public const ushort BZip2 = 12;
    public const ushort Lzma = 14;
    public const ushort Zstandard = 93;
    public const ushort Xz = 95;
    public const ushort Ppmd = 98;

    public static string NameOf(ushort method) => method switch
    {
        Stored => "stored",
        Deflate => "Deflate",
        Deflate64 => "Deflate64",
        BZip2 => "BZip2",
        Lzma => "LZMA",
        Zstandard => "ZStandard",
        Xz => "Xz",
        Ppmd => "PPMd",
        _ => "unknown",
    };
}
