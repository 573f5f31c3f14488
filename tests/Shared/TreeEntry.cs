namespace Restore.Tests;

/// <summary>
/// An entry of a tree, as an expected file describes it or as it was found. What is null was not
/// given (expected) or does not apply (found).
/// </summary>
internal sealed record TreeEntry(string Path, string Type)
{
    public long? SizeBytes { get; init; }

    public string? Sha256 { get; init; }

    public string? LinkTarget { get; init; }

    /// <summary>
    /// Last-modified time in units of 100 ns since 1970: a backup holds no finer ones.
    /// </summary>
    public long? ModifiedTicks { get; init; }

    /// <summary>Permission bits as four octal digits.</summary>
    public string? Mode { get; init; }

    public (long User, long Group)? Owner { get; init; }

    /// <summary>
    /// The user.* attributes, "name=base64" in the order of the names; empty when there are none.
    /// </summary>
    public string? Attributes { get; init; }
}
