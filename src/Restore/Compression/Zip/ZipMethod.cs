namespace Restore.Compression.Zip;

/// <summary>
/// The methods that this library writes; <see cref="Methods.CompressionMethods"/> has all that it
/// reads.
/// </summary>
internal static class ZipMethod
{
    public const ushort Stored = 0;
    public const ushort Deflate = 8;
}
