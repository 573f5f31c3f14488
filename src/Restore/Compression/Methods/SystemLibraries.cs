namespace Restore.Compression.Methods;

/// <summary>
/// The libraries of the system that decode and compress; each is null if this machine does not have
/// it.
/// </summary>
internal sealed record SystemLibraries(LibDeflate? Deflate = null, LibZstandard? Zstandard = null)
{
    public static SystemLibraries None { get; } = new();

    public static SystemLibraries Find() => new(LibDeflate.TryLoad(), LibZstandard.TryLoad());
}
