namespace Restore.Compression.Zip;

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

    /// <summary>Name and number, or the number alone where nobody here knows the name.</summary>
    public static string Describe(ushort method) => method switch
    {
        Stored => "Stored (0)",
        Deflate => "Deflate (8)",
        Deflate64 => "Deflate64 (9)",
        BZip2 => "BZip2 (12)",
        Lzma => "LZMA (14)",
        Zstandard => "ZStandard (93)",
        Xz => "Xz (95)",
        Ppmd => "PPMd (98)",
        _ => $"number {method}",
    };
}
