namespace Restore.Compression.Zip;

/// <summary>The numbers of the methods that zip archives are written with; <see cref="Methods.CompressionMethods"/> has all that are read.</summary>
internal static class ZipMethod
{
    public const ushort Stored = 0;
    public const ushort Deflate = 8;
}
