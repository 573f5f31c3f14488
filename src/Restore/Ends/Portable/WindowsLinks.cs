namespace Restore.Ends.Portable;

/// <summary>
/// Windows has two kinds of links to folders: junctions, which every user may make, and symbolic
/// links, which need a right.
/// </summary>
internal static class WindowsLinks
{
    /// <summary>
    /// Whether a link to a folder can be a junction: its target is a full path with a drive.
    /// </summary>
    public static bool IsForJunction(string linkTarget) =>
        linkTarget is [var drive, ':', '\\', ..]
        && char.IsAsciiLetter(drive)
        && Array.TrueForAll(linkTarget.Split('\\'), name => name is not ("." or ".."))
        && !linkTarget.Contains('/', StringComparison.Ordinal);
}
