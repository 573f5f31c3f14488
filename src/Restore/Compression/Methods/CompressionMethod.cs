namespace Restore.Compression.Methods;

/// <summary>A compression method of archive entries: everything that is known about it, in one row of <see cref="CompressionMethods"/>.</summary>
/// <param name="Id">Its number in zip archives.</param>
/// <param name="Name">Its name, for messages.</param>
internal sealed record CompressionMethod(ushort Id, string Name)
{
    private const string Switch = "a build with -p:ZipLibrary=SharpCompress";

    /// <summary>Whether Duplicati can write it, so that the profile says what decodes it.</summary>
    public bool IsWrittenByDuplicati { get; init; }

    /// <summary>The library of the system that decodes it, and its Debian package; null if none does, or none is needed.</summary>
    public (string Name, string DebianPackage)? Library { get; init; }

    /// <summary>Chooses what decodes it from what the machine has; null if nothing does.</summary>
    public Func<SystemLibraries, MethodDecoder?> Decoder { get; init; } = static _ => null;

    /// <summary>What decodes it in a build with the switch, if <see cref="Decoder"/> finds nothing; null in other builds.</summary>
    public Func<MethodDecoder?> SwitchedDecoder { get; init; } = static () => null;

    /// <summary>Chooses what compresses whole buffers at a level from 1 (fast) to 9 (small); null if nothing here does.</summary>
    public Func<SystemLibraries, int, IDeflater>? Compressor { get; init; }

    /// <summary>The error for an entry of a method that nothing here decodes.</summary>
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

    /// <summary>What decodes it on this machine; null if nothing does.</summary>
    public MethodDecoder? FindDecoder(SystemLibraries libraries) => Decoder(libraries) ?? SwitchedDecoder();
}
