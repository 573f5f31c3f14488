namespace Restore.Compression.Methods;

internal sealed record CompressionMethod(ushort Id, string Name, Func<SystemLibraries, MethodDecoder> Decoder)
{
    /// <summary>
    /// Whether Duplicati can write the method; then the profile says what decodes it.
    /// </summary>
    public bool IsWrittenByDuplicati { get; init; }
}
