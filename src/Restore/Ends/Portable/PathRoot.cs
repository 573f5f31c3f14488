namespace Restore.Ends.Portable;

/// <summary>How paths of a target become paths of the system: below one folder.</summary>
/// <param name="path">The full path of the folder.</param>
internal class PathRoot(string path)
{
    /// <summary>The root, for messages.</summary>
    public string Path { get; } = path;

    /// <summary>
    /// Whether the root is a folder of the system, which can be looked at, be empty and be created.
    /// </summary>
    public virtual bool IsFolder => true;

    public virtual string FullPath(string path) =>
        System.IO.Path.Join(Path, OperatingSystem.IsWindows() ? path.Replace('/', '\\') : path);

    /// <summary>The path as people write it.</summary>
    public virtual string Display(string path) => path.Length == 0 ? Path : FullPath(path);

    /// <summary>
    /// Characters at the start of a path that name no folder that could be looked at or created.
    /// </summary>
    public virtual int FixedLength(string path) => 0;

    /// <summary>Whether such a path exists, as long as its drive or share does.</summary>
    public virtual bool Exists(string path) => Directory.Exists(FullPath(path));

    /// <summary>
    /// The path of the target that a rooted path leads to; null if it leads elsewhere.
    /// </summary>
    public virtual string? Find(string rooted) => null;
}
