namespace Restore.Compression.Methods;

/// <summary>The decoder of a compression method on this machine.</summary>
/// <param name="By">Its name in the profile: "libzstd 1.5.4".</param>
/// <param name="Create">Makes a decoder.</param>
internal sealed record MethodDecoder(string By, Func<IEntryDecoder> Create)
{
    /// <summary>Creates a decoder for methods that can only be decoded piece by piece.</summary>
    /// <param name="by">Its name in the profile.</param>
    /// <param name="open">Opens a decoding stream over compressed data; receives the claimed length of the result.</param>
    public static MethodDecoder Streaming(string by, Func<ReadOnlyMemory<byte>, long, Stream> open) => new(by, () => new StreamDecoder(open));
}
