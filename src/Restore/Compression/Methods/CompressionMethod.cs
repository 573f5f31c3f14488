namespace Restore.Compression.Methods;

/// <summary>A compression method of archive entries: one row of <see cref="CompressionMethods"/> with all that is known about it.</summary>
/// <param name="Id">Its number in zip archives.</param>
/// <param name="Name">Its name, for messages.</param>
internal sealed record CompressionMethod(ushort Id, string Name)
{
    private const string Switch = "a build with -p:ZipLibrary=SharpCompress";

    /// <summary>Whether Duplicati can write the method; then the profile says what decodes it.</summary>
    public bool IsWrittenByDuplicati { get; init; }

    /// <summary>The system's library that decodes the method, and its Debian package; null if none does, or none is needed.</summary>
    public (string Name, string DebianPackage)? Library { get; init; }

    /// <summary>Chooses a decoder from the libraries of the machine; null if there is none.</summary>
    public Func<SystemLibraries, MethodDecoder?> Decoder { get; init; } = static _ => null;

    /// <summary>The decoder in a build with the switch, if <see cref="Decoder"/> finds none; null in other builds.</summary>
    public Func<MethodDecoder?> SwitchedDecoder { get; init; } = static () => null;

    /// <summary>Chooses a compressor of whole buffers at a level from 1 (fast) to 9 (small); null if there is none.</summary>
    public Func<SystemLibraries, int, IDeflater>? Compressor { get; init; }

    /// <summary>The error for an entry of a method without a decoder.</summary>
    public static UnsupportedMethodException Unsupported(ushort id)
    {
        CompressionMethod? method = CompressionMethods.Find(id);
        string name = method is null ? $"number {id}" : $"{method.Name} ({id})";
        string reason = method switch
        {
            null => "Duplicati does not write it, so the volume is damaged or was not made by Duplicati",
            { Library: { } library } => $"the library {library.Name} (Debian package {library.DebianPackage}) or {Switch} decodes it",
            _ => $"no library of the system decodes it, {Switch} does",
        };
        return new UnsupportedMethodException($"The volume uses the zip compression method {name}, which cannot be decoded here; {reason}");
    }

    /// <summary>The decoder on this machine; null if there is none.</summary>
    public MethodDecoder? FindDecoder(SystemLibraries libraries) => Decoder(libraries) ?? SwitchedDecoder();
}
