namespace Restore.Ends.Linux;

/// <summary>
/// A use of an open folder of the target; disposing it ends the use, not the handle.
/// </summary>
internal sealed class Folder(FolderCache owner, string path, int handle) : IDisposable
{
    /// <summary>Target path; "" is the root.</summary>
    public string Path { get; } = path;

    public int Handle { get; } = handle;

    /// <summary>Present uses; only the cache changes the number, under its lock.</summary>
    public int Users { get; set; }

    /// <summary>
    /// Whether it is known that its owner may list it, as far as the owner runs this.
    /// </summary>
    public bool MayLook { get; set; }

    /// <summary>Whether it is known that its owner may change names in it.</summary>
    public bool MayChange { get; set; }

    /// <summary>
    /// Whether a new file in it can get its name when it is whole; null if that is not known.
    /// </summary>
    public bool? NamesLater { get; set; }

    /// <summary>Whether the cache has dropped it, so that the last user closes it.</summary>
    public bool IsEvicted { get; set; }

    /// <summary>Begins another use, which is disposed for itself.</summary>
    public Folder Keep() => owner.Use(this);

    public void Dispose() => owner.EndUse(this);
}
