namespace Restore.Planning.Paths;

/// <summary>What is wrong with a refused entry.</summary>
internal enum PathRefusalKind : byte
{
    /// <summary>The path could lead out of the target, or is no path of this backup.</summary>
    Path,

    /// <summary>A name that no file system takes.</summary>
    Name,
}

/// <summary>Why an entry gets no target path.</summary>
/// <param name="Kind">What is wrong.</param>
/// <param name="Reason">The same as a sentence.</param>
internal sealed record PathRefusal(PathRefusalKind Kind, string Reason);
