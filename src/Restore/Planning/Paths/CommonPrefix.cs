namespace Restore.Planning.Paths;

/// <summary>
/// Finds the longest folder that contains all added paths; time and memory are linear in their
/// length.
/// </summary>
internal sealed class CommonPrefix(PathStyle style)
{
    private byte[]? folder;
    private int length;

    /// <summary>
    /// The folder with its separator; empty if no folder contains all paths, or no path was added.
    /// </summary>
    public ReadOnlySpan<byte> Folder => folder.AsSpan(0, length);

    /// <summary>
    /// Adds a path. A path that ends in a separator is a folder and contains itself.
    /// </summary>
    public void Add(ReadOnlySpan<byte> path)
    {
        if (folder is null)
        {
            folder = path.ToArray();
            length = CutAtSeparator(path);
            return;
        }

        int common = Folder.CommonPrefixLength(path);
        if (common < length)
        {
            length = CutAtSeparator(Folder[..common]);
        }
    }

    private int CutAtSeparator(ReadOnlySpan<byte> path) => path.LastIndexOfAny(OriginalPath.SeparatorsOf(style)) + 1;
}
