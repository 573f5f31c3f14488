namespace Restore.Planning.Paths;

/// <summary>The longest folder that all paths shown to it lie in, found while they pass; time and memory are linear in their length.</summary>
internal sealed class CommonPrefix(PathStyle style)
{
    private byte[]? folder;
    private int length;

    /// <summary>The folder with its separator, or nothing when there is none (or no path was shown).</summary>
    public ReadOnlySpan<byte> Folder => folder.AsSpan(0, length);

    /// <summary>Shows a path. One that ends in a separator is a folder and lies in itself.</summary>
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
