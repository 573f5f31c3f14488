using System.Runtime.Versioning;
using Restore.Ends.Unix;

namespace Restore.Ends.Portable;

/// <summary>
/// A folder of a file system through System.IO, for systems where folders cannot be held by
/// handles: Windows, macOS and other Unix systems. Every parent is checked before use, and a link
/// is refused. A race remains: another user who may write into the target can put a link there
/// between check and use. The Linux target has no such race.
/// </summary>
internal sealed partial class PortableTarget : IRestoreTarget
{
    private readonly PathRoot root;
    private readonly bool flushesFiles;
    private readonly SafeFolders folders;
    private readonly Lazy<FlushedVolume?> volume;
    private readonly HeldFiles held = new();

    /// <param name="rootPath">The folder; created by the first write if it is missing. On Windows
    /// also the place of all drives and shares.</param>
    /// <param name="flushesFiles">Whether a file that was written is flushed when it is closed,
    /// where a volume cannot be flushed as a whole.</param>
    public PortableTarget(string rootPath, bool flushesFiles = false)
        : this(
            OperatingSystem.IsWindows() && rootPath == WindowsRoots.Root
                ? new WindowsRoots()
                : new PathRoot(Path.GetFullPath(rootPath)),
            flushesFiles
        ) { }

    internal PortableTarget(PathRoot root, bool flushesFiles = false)
    {
        this.flushesFiles = flushesFiles;
        this.root = root;
        folders = new SafeFolders(root);
        if (root.IsFolder && File.Exists(root.Path))
        {
            throw new RestoreException(
                RestoreErrorCode.TargetUnusable,
                "The target cannot be used: it is a file",
                root.Path
            );
        }

        Metadata = new PortableMetadata(held);

        // With the first file that is written: to try a volume is to flush it, and most targets are
        // only looked at.
        volume = new(() => flushesFiles ? FlushedVolume.Open(root) : null);
        IsEmpty = root.IsFolder && (!Directory.Exists(root.Path) || RootFolder.IsEmpty(root.Path));
    }

    public PortableMetadata Metadata { get; }

    public bool IsEmpty { get; }

    public string Display(string path) => root.Display(path);

    public string FullPath(string path) => root.FullPath(path);

    public bool IsInside(string path, string linkTarget) =>
        new LinkReach(root.Path, LookAtLink, root.Find).IsInside(path, linkTarget);

    /// <remarks>
    /// On Windows, each drive is a file system. On other systems, only the file system of the root
    /// is known.
    /// </remarks>
    public string FileSystemOf(string folder)
    {
        Check(folder, orRoot: true);
        return OperatingSystem.IsWindows() ? Path.GetPathRoot(FullPath(folder)) ?? "" : "";
    }

    public TargetRoom RoomAt(string folder)
    {
        Check(folder, orRoot: true);
        return RootFolder.RoomAt(OperatingSystem.IsWindows() ? FullPath(folder) : root.Path);
    }

    public TargetStatus Inspect(string path)
    {
        Check(path, orRoot: true);
        return Run(
            path,
            "could not be looked at",
            () => folders.Look(FolderOf(path)) == TargetKind.Folder ? LookAt(path) : default
        );
    }

    /// <summary>Null without a volume: each file was flushed when it was closed.</summary>
    public string? Flush() => volume.Value?.Flush();

    /// <summary>Null: nothing is known of one file.</summary>
    public string? FlushFile(string path) => null;

    public void CreateFolder(string path)
    {
        Check(path, orRoot: true);
        CreateFolderFor(path, path);
    }

    public void DeleteFile(string path)
    {
        Check(path);
        Run(
            path,
            "could not be removed",
            () =>
            {
                if (
                    folders.Look(FolderOf(path)) == TargetKind.Folder
                    && PortableLook.At(FullPath(path)).Kind is not TargetKind.Nothing and var kind
                )
                {
                    Remove(path, kind == TargetKind.Folder ? throw new IOException("a folder is in the way") : kind);
                }

                return true;
            }
        );
    }

    public void DeleteFolder(string path)
    {
        Check(path);
        Run(
            path,
            "could not be removed",
            () =>
            {
                if (
                    folders.Look(FolderOf(path)) == TargetKind.Folder
                    && PortableLook.At(FullPath(path)).Kind is not TargetKind.Nothing and var kind
                )
                {
                    string fullPath =
                        kind == TargetKind.Folder ? FullPath(path) : throw new IOException("it is not a folder");
                    held.Retry(() => Directory.Delete(fullPath, recursive: false));
                }

                return true;
            }
        );
    }

    public void CreateSymlink(string path, string linkTarget, bool isFolderLink)
    {
        Check(path);
        if (linkTarget.Length == 0 || linkTarget.Length > TargetPath.MaxPathBytes || linkTarget.Contains('\0'))
        {
            throw new IOException(
                $"The link '{Display(path)}' could not be created: its target is empty, too long, or not sound text"
            );
        }

        CreateFolderFor(FolderOf(path), path);
        Run(
            path,
            "could not be created as a link",
            () =>
            {
                if (isFolderLink && OperatingSystem.IsWindows() && WindowsLinks.IsForJunction(linkTarget))
                {
                    Windows.CreateJunction(FullPath(path), linkTarget);
                }
                else
                {
                    Func<string, string, FileSystemInfo> create = isFolderLink
                        ? Directory.CreateSymbolicLink
                        : File.CreateSymbolicLink;
                    create(FullPath(path), linkTarget);
                }

                // Some file systems say that they made one.
                return PortableLook.At(FullPath(path)).Kind == TargetKind.Symlink
                    ? true
                    : throw new IOException("the file system has no links");
            }
        );
    }

    public void Rename(string from, string path, bool withPermissions)
    {
        Check(from);
        Check(path);
        const string What = "could not be replaced";
        TargetKind kind = Run(
            path,
            What,
            () => folders.Look(FolderOf(path)) == TargetKind.Folder ? PortableLook.At(FullPath(path)).Kind : default
        );
        if (kind is TargetKind.Folder or TargetKind.Other)
        {
            throw new IOException(
                $"'{Display(path)}' {What}: {(kind == TargetKind.Folder ? "a folder" : "a device, pipe or socket")} is in the way"
            );
        }

        Run(
            path,
            What,
            () =>
                OperatingSystem.IsWindows()
                    ? RenameOnWindows(from, path, kind, withPermissions)
                    : RenameOnUnix(from, path, kind, withPermissions)
        );
    }

    public bool TryPutInPlace(string from, string path)
    {
        Check(from);
        Check(path);
        return Run(
            path,
            "could not be created",
            () =>
            {
                if (
                    folders.Look(FolderOf(path)) != TargetKind.Folder
                    || PortableLook.At(FullPath(from)).Kind != TargetKind.File
                )
                {
                    throw new IOException("its folder is gone, or a link is in the way");
                }

                if (PortableLook.At(FullPath(path)).Kind != TargetKind.Nothing)
                {
                    return false;
                }

                return OperatingSystem.IsWindows()
                    ? TryPutInPlaceOnWindows(from, path)
                    : TryPutInPlaceOnUnix(from, path);
            }
        );
    }

    public IReadOnlyList<string> NamesIn(string folder, string prefix)
    {
        Check(folder, orRoot: true);
        return root.FixedLength(folder) == folder.Length && !root.IsFolder
            ? []
            : RootFolder.NamesIn(FullPath(folder), prefix);
    }

    public void FinishFolders(IEnumerable<string> others, IReadOnlySet<string> left)
    {
        foreach (
            string path in folders
                .TakeUnfinished()
                .Append("")
                .Concat(others)
                .Except(left)
                .Where(path => root.IsFolder || root.FixedLength(path) < path.Length)
        )
        {
            ApplyMetadata(path, EntryMetadata.Empty, withPermissions: false);
        }
    }

    public bool IsUnfinished(string folder)
    {
        Check(folder, orRoot: true);
        return folders.IsUnfinished(folder)
            || (
                !OperatingSystem.IsWindows()
                && folders.Look(folder) == TargetKind.Folder
                && NewModes.IsUnfinished((int)File.GetUnixFileMode(FullPath(folder)), isFolder: true)
            );
    }

    public string? ReadSymlink(string path)
    {
        Check(path);
        return Run(
            path,
            "could not be looked at",
            () => folders.Look(FolderOf(path)) == TargetKind.Folder ? new FileInfo(FullPath(path)).LinkTarget : null
        );
    }

    public IReadOnlyList<string> ApplyMetadata(string path, EntryMetadata metadata, bool withPermissions)
    {
        Check(path, orRoot: true);
        TargetKind kind = Inspect(path).Kind;
        folders.SetFinished(path);
        return kind is TargetKind.Folder or TargetKind.Symlink
            ? Metadata.Apply(handle: null, FullPath(path), kind, metadata, withPermissions)
            : ["The metadata could not be set: it is not there, or no longer, or a link is in the way"];
    }

    public void Dispose()
    {
        if (volume.IsValueCreated)
        {
            volume.Value?.Dispose();
        }
    }

    private (TargetKind Kind, string? LinkTarget) LookAtLink(string path) =>
        Inspect(path).Kind is var kind && kind == TargetKind.Symlink ? (kind, ReadSymlink(path)) : (kind, null);

    private static string FolderOf(string path) => TargetPath.Split(path, out _).ToString();

    private void Check(string path, bool orRoot = false)
    {
        TargetPath.Check(path, orRoot);
        string names = path[root.FixedLength(path)..];
        if (OperatingSystem.IsWindows() && names.Length > 0)
        {
            WindowsNames.Check(names.TrimStart('/'));
        }
    }

    private TargetStatus LookAt(string path) =>
        path.Length > root.FixedLength(path) ? PortableLook.At(FullPath(path))
        : !root.Exists(path) ? default
        : new TargetStatus(TargetKind.Folder, 0, root.IsFolder ? Directory.GetLastWriteTimeUtc(root.Path).Ticks : 0, 1)
        {
            Mount = root.IsFolder ? PortableLook.MountOfRoot(root.Path) : 0,
        };

    private void CreateFolderFor(string folder, string path)
    {
        TargetKind kind = Run(path, "could not be created", () => folders.Create(folder));
        if (kind != TargetKind.Folder)
        {
            const string Reason =
                "a file or a link is where a folder should be, and nothing is restored through a link";
            throw new IOException($"'{Display(path)}' could not be created: {Reason}");
        }
    }

    private bool TryPutInPlaceOnUnix(string from, string path)
    {
        if (UnixCalls.TryLink(FullPath(from), FullPath(path)) is bool isLinked)
        {
            _ = isLinked && Remove(from, TargetKind.File);
            return isLinked;
        }

        // Without second names, what is made between look and rename is replaced.
        return UnixCalls.Rename(FullPath(from), FullPath(path)) is string reason ? throw new IOException(reason) : true;
    }

    private bool TryPutInPlaceOnWindows(string from, string path)
    {
        try
        {
            held.Retry(() => File.Move(FullPath(from), FullPath(path), overwrite: false));
            return true;
        }
        catch (IOException) when (PortableLook.At(FullPath(path)).Kind != TargetKind.Nothing)
        {
            return false;
        }
    }

    [UnsupportedOSPlatform("windows")]
    private bool RenameOnUnix(string from, string path, TargetKind replaced, bool withPermissions)
    {
        if (replaced == TargetKind.File && !withPermissions && PortableLook.At(FullPath(from)).Kind == TargetKind.File)
        {
            (int old, int own) = ((int)File.GetUnixFileMode(FullPath(path)), (int)File.GetUnixFileMode(FullPath(from)));
            File.SetUnixFileMode(FullPath(from), (UnixFileMode)NewModes.Replacing(old, own));
        }

        return UnixCalls.Rename(FullPath(from), FullPath(path)) is string reason ? throw new IOException(reason) : true;
    }

    /// <summary>A link to a folder cannot be replaced in one step there.</summary>
    [SupportedOSPlatform("windows")]
    private bool RenameOnWindows(string from, string path, TargetKind replaced, bool withPermissions)
    {
        bool isFolderLink = File.GetAttributes(FullPath(from)).HasFlag(FileAttributes.Directory);
        if (replaced == TargetKind.File && !isFolderLink)
        {
            if (!withPermissions)
            {
                WindowsAccessRules.TakeOver(FullPath(path), FullPath(from));
            }

            held.Retry(() => Windows.Replace(FullPath(from), FullPath(path)));
            return true;
        }

        _ = replaced == TargetKind.Nothing || Remove(path, replaced);
        Action<string, string> move = isFolderLink ? Directory.Move : File.Move;
        held.Retry(() => move(FullPath(from), FullPath(path)));
        return true;
    }

    private bool Remove(string path, TargetKind kind)
    {
        string fullPath = FullPath(path);
        if (!OperatingSystem.IsWindows())
        {
            File.Delete(fullPath);
            return true;
        }

        // A link to a folder is removed as a folder there; without recursion this never removes the
        // content of a folder.
        bool isFolderLink =
            kind == TargetKind.Symlink && File.GetAttributes(fullPath).HasFlag(FileAttributes.Directory);
        Action<string> delete = isFolderLink ? link => Directory.Delete(link, recursive: false) : File.Delete;
        held.Retry(() => Windows.WithoutReadOnly(fullPath, () => delete(fullPath)));
        return true;
    }

    private T Run<T>(string path, string what, Func<T> action)
    {
        try
        {
            return action();
        }
        catch (Exception exception) when (PortableFailure.IsExpected(exception))
        {
            throw exception is UnauthorizedAccessException && IsEmpty && !MayWriteIntoRoot()
                ? new RestoreException(
                    RestoreErrorCode.TargetAccessDenied,
                    "The target may not be written",
                    root.Path,
                    exception
                )
            : root.IsFolder && folders.HasRoot && !Directory.Exists(root.Path)
                ? new RestoreException(
                    RestoreErrorCode.TargetLost,
                    $"The target is gone: {PortableFailure.Reason(exception)}",
                    root.Path,
                    exception
                )
            : PortableFailure.Of(exception, Display(path), what);
        }
    }

    /// <summary>Called for a write that failed, in a target that was empty.</summary>
    private bool MayWriteIntoRoot()
    {
        try
        {
            string probe = Path.Join(root.Path, $".restore-{Guid.NewGuid():N}");
            File.OpenHandle(probe, FileMode.CreateNew, FileAccess.Write, FileShare.None, FileOptions.DeleteOnClose)
                .Dispose();
            return true;
        }
        catch (Exception exception) when (PortableFailure.IsExpected(exception))
        {
            return false;
        }
    }
}
