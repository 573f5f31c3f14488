namespace Restore.Planning.Paths;

/// <summary>Kinds of refusals.</summary>
internal enum PathRefusalKind : byte
{
    /// <summary>The path could lead out of the target, or does not belong to this backup.</summary>
    Path,

    /// <summary>No file system accepts the name.</summary>
    Name,
}

/// <summary>Why an entry has no target path.</summary>
/// <param name="Kind">The kind of the refusal.</param>
/// <param name="Reason">The reason, for a person.</param>
internal sealed record PathRefusal(PathRefusalKind Kind, string Reason);
