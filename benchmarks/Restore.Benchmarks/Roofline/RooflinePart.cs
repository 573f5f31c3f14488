namespace Restore.Benchmarks.Roofline;

/// <summary>
/// One kind of work that no verified restore can leave out, done alone on all cores.
/// </summary>
/// <param name="Name">Its name in the results.</param>
/// <param name="Processor">Processor time of the work, without preparing it.</param>
/// <param name="Wall">From start to end.</param>
/// <param name="Bytes">The bytes it worked on.</param>
internal sealed record RooflinePart(string Name, TimeSpan Processor, TimeSpan Wall, long Bytes)
{
    /// <summary>Reading the block volumes.</summary>
    public const string Read = "read";

    /// <summary>The authentication codes of the volumes.</summary>
    public const string Authenticate = "authenticate";

    /// <summary>AES.</summary>
    public const string Decrypt = "decrypt";

    /// <summary>The directories of the archives, and the entries that are compressed.</summary>
    public const string Entries = "entries";

    /// <summary>One hash of each restored byte.</summary>
    public const string Hash = "hash";

    /// <summary>
    /// Files created, written through the page cache, given their time and closed.
    /// </summary>
    public const string WriteCached = "write cached";

    /// <summary>The same, with whole pieces of large files past the page cache.</summary>
    public const string WriteDirect = "write direct";

    /// <summary>All of them, in the order of a restore.</summary>
    public static IReadOnlyList<string> Names { get; } =
    [Read, Authenticate, Decrypt, Entries, Hash, WriteCached, WriteDirect];
}
