namespace Restore.Ends.Drill;

/// <summary>
/// The target of a drill: it is empty, and nothing is written. It judges paths and links in the
/// same way as the target of a restore, but opens no file.
/// </summary>
internal sealed class VerifyOnlyTarget : IRestoreTarget
{
    private readonly string rootPath;
    private readonly Lock gate = new();
    private readonly Dictionary<string, string?> made = new(StringComparer.Ordinal);

    /// <param name="rootPath">Where the restore would go, so that the drill treats links as the
    /// restore would; null: the root of the file system.</param>
    public VerifyOnlyTarget(string? rootPath = null) => this.rootPath = Path.GetFullPath(rootPath ?? "/");

    public bool IsEmpty => true;

    public string Display(string path) =>
        path.Length == 0 ? rootPath : Path.Join(rootPath, OperatingSystem.IsWindows() ? path.Replace('/', '\\') : path);

    public string FileSystemOf(string folder) => "";

    public TargetRoom RoomAt(string folder) => TargetRoom.Unknown;

    public TargetStatus Inspect(string path)
    {
        TargetPath.Check(path, orRoot: true);
        return default;
    }

    public void CreateFolder(string path)
    {
        TargetPath.Check(path, orRoot: true);
        Remember(path, linkTarget: null);
    }

    public ITargetFile OpenFile(string path, TargetOpenMode mode, long sizeBytes = 0) =>
        throw new IOException($"'{Display(path)}' does not exist: a drill writes nothing");

    public void DeleteFile(string path) => TargetPath.Check(path);

    public void CreateSymlink(string path, string linkTarget, bool isFolderLink)
    {
        TargetPath.Check(path);
        TargetPath.CheckLinkTarget(Display(path), linkTarget);
        Remember(path, linkTarget);
    }

    public void Rename(string from, string path, bool withPermissions)
    {
        TargetPath.Check(from);
        TargetPath.Check(path);
    }

    public bool TryPutInPlace(string from, string path)
    {
        TargetPath.Check(from);
        TargetPath.Check(path);
        return true;
    }

    public bool IsUnfinished(string folder) => true;

    public IReadOnlyList<string> NamesIn(string folder, string prefix) => [];

    public void FinishFolders(IEnumerable<string> others, IReadOnlySet<string> left) { }

    public string? ReadSymlink(string path) => null;

    public bool IsInside(string path, string linkTarget) =>
        new LinkReach(rootPath, LookAtMade).IsInside(path, linkTarget);

    public IReadOnlyList<string> ApplyMetadata(string path, EntryMetadata metadata, bool withPermissions) => [];

    public string? Flush() => null;

    public string? FlushFile(string path) => null;

    public void Dispose() { }

    private void Remember(string path, string? linkTarget)
    {
        lock (gate)
        {
            made[path] = linkTarget;
        }
    }

    /// <summary>The folders and links that a restore would have created by now.</summary>
    private (TargetKind Kind, string? LinkTarget) LookAtMade(string path)
    {
        lock (gate)
        {
            return path.Length == 0 ? (TargetKind.Folder, null)
                : !made.TryGetValue(path, out string? linkTarget) ? default
                : linkTarget is null ? (TargetKind.Folder, null)
                : (TargetKind.Symlink, linkTarget);
        }
    }
}
