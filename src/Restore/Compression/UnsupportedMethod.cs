using Restore.Compression.Zip;

namespace Restore.Compression;

/// <summary>Says what is missing to decode a compression method.</summary>
internal static class UnsupportedMethod
{
    private const string Switch = "a build with -p:ZipLibrary=SharpCompress";

    public static UnsupportedMethodException Error(ushort method) => new(Message(method));

    private static string Message(ushort method)
    {
        string what = $"The volume uses the zip compression method {ZipMethod.Describe(method)}, which cannot be decoded here";
        return method switch
        {
            ZipMethod.Zstandard => $"{what}; the library libzstd (Debian package libzstd1) or {Switch} decodes it",
            ZipMethod.BZip2 => $"{what}; the library libbz2 (Debian package libbz2-1.0) or {Switch} decodes it",
            ZipMethod.Lzma => $"{what}; the library liblzma (Debian package liblzma5) or {Switch} decodes it",
            ZipMethod.Ppmd or ZipMethod.Deflate64 or ZipMethod.Xz => $"{what}; no library of the system decodes it, {Switch} does",
            _ => $"{what}; Duplicati does not write it, so the volume is damaged or was not made by Duplicati",
        };
    }
}
