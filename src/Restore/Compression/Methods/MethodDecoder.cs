namespace Restore.Compression.Methods;

internal sealed record MethodDecoder(string By, Func<IEntryDecoder> Create)
{
    /// <summary>For methods that can only be decoded piece by piece.</summary>
    public static MethodDecoder Streaming(string by, Func<ReadOnlyMemory<byte>, long, Stream> open) =>
        new(by, () => new StreamDecoder(open));
}
