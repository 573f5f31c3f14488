using Restore.Ends.Unix;

namespace Restore.Ends.Linux;

/// <summary>
/// A folder of a Linux file system. Every operation is relative to handles of folders that were
/// opened without following a link.
/// </summary>
internal sealed partial class LinuxTarget : IRestoreTarget
{
    // A user's default limit is 1,024 open files; the files and connections of the flow need their
    // share.
    private const int DefaultFolderHandles = 256;

    private readonly Lock rootGate = new();
    private readonly FileSystems fileSystems = new();
    private readonly string rootPath;
    private readonly bool useOpenAt2;
    private readonly int folderHandles;
    private readonly bool useMountId;
    private readonly OpenedFolders? opened;
    private volatile FolderCache? folders;
    private MountTable? mounts;

    /// <param name="rootPath">The folder; created by the first write if it is missing.</param>
    /// <param name="opensFolders">Whether folders that are closed to their owner are opened until
    /// the end.</param>
    /// <param name="useMountId">Whether the kernel says to which mount a path belongs; Linux before
    /// 5.8 does not.</param>
    public LinuxTarget(
        string rootPath,
        bool useOpenAt2 = true,
        int folderHandles = DefaultFolderHandles,
        bool useMountId = true,
        bool opensFolders = true
    )
    {
        opened = opensFolders ? new OpenedFolders() : null;
        this.useMountId = useMountId;
        this.rootPath = Path.GetFullPath(rootPath);
        this.useOpenAt2 = useOpenAt2;
        this.folderHandles = folderHandles;
        int handle = OpenRoot();
        if (handle < 0 && handle != -Errno.NoEntry)
        {
            throw new RestoreException(
                RestoreErrorCode.TargetUnusable,
                $"The target cannot be used: {KernelFailure.Reason(-handle)}",
                this.rootPath
            );
        }

        folders = handle < 0 ? null : new FolderCache(handle, this.useOpenAt2, this.folderHandles, fileSystems, opened);
        IsEmpty = handle < 0 || RootFolder.IsEmpty(this.rootPath);
    }

    /// <summary>How many folders a target may keep open in this process.</summary>
    public static int AffordableFolders() => OpenHandles.Folders(OpenHandles.Spare(), DefaultFolderHandles);

    public LinuxMetadata Metadata { get; } = new();

    public bool IsEmpty { get; }

    public string Display(string path) => path.Length == 0 ? rootPath : Path.Join(rootPath, path);

    public bool IsInside(string path, string linkTarget) =>
        new LinkReach(rootPath, LookAtLink).IsInside(path, linkTarget);

    public bool KnowsMounts => Inspect("") is not { Kind: TargetKind.Folder, Mount: 0 };

    public TargetStatus Inspect(string path)
    {
        using Folder? parent = FindFolderOf(
            path,
            stackalloc byte[NativeText.NameBytes],
            out ReadOnlySpan<byte> name,
            out int error,
            orRoot: true
        );
        FileStatus status = default;
        int result =
            parent is null ? -error
            : path.Length == 0 ? Kernel.StatusOfHandle(parent.Handle, out status)
            : Kernel.Status(parent.Handle, name, out status);
        return result >= 0 ? status.ToTargetStatus() with { Mount = MountOf(status, path) }
            : IsNothing(-result) ? default
            : throw Failure(-result, path, "could not be looked at");
    }

    public string FileSystemOf(string folder) => NearestFolder(folder).FileSystem;

    public TargetRoom RoomAt(string folder) => RootFolder.RoomAt(Display(NearestFolder(folder).Path));

    /// <summary>
    /// Tried with a file that never has a name, so that nothing shows and nothing is left.
    /// </summary>
    public bool CanShare(string path)
    {
        const long Enough = 1 << 20;
        using Folder? parent = Find(TargetPath.Split(path, out ReadOnlySpan<char> text), out _);
        if (parent is null)
        {
            return false;
        }

        int source = Kernel.OpenFile(
            parent.Handle,
            NativeText.Encode(text, stackalloc byte[NativeText.NameBytes]),
            forWriting: false
        );
        int copy = source < 0 ? source : Kernel.CreateUnnamed(parent.Handle, ".\0"u8, OwnerReadsAndWrites);
        bool canShare =
            copy >= 0
            && Kernel.StatusOfHandle(source, out FileStatus status) >= 0
            && Kernel.ShareRange(copy, source, 0, status.SizeBytes < Enough ? 0 : Enough) >= 0;
        foreach (int handle in (ReadOnlySpan<int>)[source, copy])
        {
            _ = handle < 0 ? 0 : Kernel.Close(handle);
        }

        return canShare;
    }

    public IReadOnlySet<string>? SpellingsIn(string folder)
    {
        TargetPath.Check(folder, orRoot: true);
        using Folder? opened = Find(folder, out _);
        try
        {
            return opened is null
                ? null
                : Directory
                    .EnumerateFileSystemEntries($"/proc/self/fd/{opened.Handle}")
                    .Select(path => Path.GetFileName(path))
                    .ToHashSet(StringComparer.Ordinal);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    public void CreateFolder(string path)
    {
        TargetPath.Check(path, orRoot: true);
        ReadOnlySpan<char> folder = TargetPath.Split(path, out ReadOnlySpan<char> name);
        using Folder parent = FindOrCreate(folder, path);
        int result =
            path.Length == 0
                ? 0
                : folders!.Create(parent, NativeText.Encode(name, stackalloc byte[NativeText.NameBytes]), path);
        if (result < 0 && result != -Errno.Exists)
        {
            throw Failure(-result, path, "could not be created");
        }

        if (result == -Errno.Exists)
        {
            // Something is there; only a real folder is accepted.
            FindOrCreate(path, path).Dispose();
        }
    }

    public void DeleteFile(string path) => Delete(path, isFolder: false);

    public void DeleteFolder(string path) => Delete(path, isFolder: true);

    private void Delete(string path, bool isFolder)
    {
        using Folder? parent = FindFolderOf(
            path,
            stackalloc byte[NativeText.NameBytes],
            out ReadOnlySpan<byte> name,
            out int error
        );
        LetChange(parent);
        int result =
            parent is null ? (IsNothing(error) ? 0 : -error)
            : isFolder ? Kernel.RemoveFolder(parent.Handle, name)
            : Kernel.Unlink(parent.Handle, name);
        if (result < 0 && result != -Errno.NoEntry)
        {
            throw Failure(-result, path, "could not be removed");
        }
    }

    public void CreateSymlink(string path, string linkTarget, bool isFolderLink)
    {
        TargetPath.Check(path);
        TargetPath.CheckLinkTarget(Display(path), linkTarget);
        ReadOnlySpan<byte> content = NativeText.Encode(linkTarget, stackalloc byte[NativeText.PathBytes]);
        ReadOnlySpan<char> folder = TargetPath.Split(path, out ReadOnlySpan<char> text);
        ReadOnlySpan<byte> name = NativeText.Encode(text, stackalloc byte[NativeText.NameBytes]);
        using Folder parent = FindOrCreate(folder, path);
        int result = Kernel.Symlink(content, parent.Handle, name);
        if (result < 0)
        {
            throw Failure(-result, path, "could not be created as a link");
        }
    }

    public string? ReadSymlink(string path)
    {
        using Folder? parent = FindFolderOf(
            path,
            stackalloc byte[NativeText.NameBytes],
            out ReadOnlySpan<byte> name,
            out _
        );
        Span<byte> content = stackalloc byte[NativeText.PathBytes];
        int length = parent is null ? -1 : Kernel.ReadLink(parent.Handle, name, content);
        return length < 0 ? null : Encoding.UTF8.GetString(content[..length]);
    }

    public IReadOnlyList<string> ApplyMetadata(string path, EntryMetadata metadata, bool withPermissions)
    {
        TargetPath.Check(path, orRoot: true);
        const string What = "The metadata could not be set";
        var shortfalls = default(UnappliedMetadata);
        ReadOnlySpan<char> folder = TargetPath.Split(path, out ReadOnlySpan<char> text);
        using Folder? parent = Find(folder, out int error);
        if (parent is null)
        {
            LinuxMetadata.Note(-error, What, ref shortfalls);
            return shortfalls.ToList();
        }

        ReadOnlySpan<byte> name = NativeText.Encode(
            path.Length == 0 ? "." : text,
            stackalloc byte[NativeText.NameBytes]
        );
        int handle = Kernel.OpenFolderToRead(parent.Handle, name);
        int pathHandle = handle == -Errno.AccessDenied ? Kernel.OpenFolder(parent.Handle, name) : -1;
        if (handle >= 0)
        {
            Metadata.Apply(handle, isFolder: true, metadata, withPermissions, ref shortfalls);
            _ = Kernel.Close(handle);
            SetFinished(path, metadata, withPermissions);
        }
        else if (pathHandle >= 0)
        {
            Metadata.ApplyToClosedFolder(pathHandle, metadata, withPermissions, ref shortfalls);
            _ = Kernel.Close(pathHandle);
            SetFinished(path, metadata, withPermissions);
        }
        else if (Kernel.Status(parent.Handle, name, out FileStatus status) >= 0 && status.IsSymlink)
        {
            Metadata.ApplyToLink(parent.Handle, name, metadata, withPermissions, ref shortfalls);
        }
        else
        {
            LinuxMetadata.Note(handle, What, ref shortfalls);
        }

        return shortfalls.ToList();
    }

    public IReadOnlyList<string> NamesIn(string folder, string prefix)
    {
        TargetPath.Check(folder, orRoot: true);

        // Opens it, if it is closed to its owner.
        Find(folder, out _)?.Dispose();
        return RootFolder.NamesIn(Display(folder), prefix);
    }

    public void FinishFolders(IEnumerable<string> others, IReadOnlySet<string> left)
    {
        RemoveProbe();
        foreach (string path in (folders?.TakeUnfinished() ?? []).Append("").Concat(others).Except(left))
        {
            ApplyMetadata(path, EntryMetadata.Empty, withPermissions: false);
        }
    }

    public bool IsUnfinished(string folder)
    {
        using Folder? found = Find(folder, out _);
        return found is not null
            && (
                folders!.IsUnfinished(folder)
                || (
                    Kernel.StatusOfHandle(found.Handle, out FileStatus status) >= 0
                    && NewModes.IsUnfinished(status.Mode, isFolder: true)
                )
            );
    }

    /// <exception cref="RestoreException">What was written is not at the target: its folder was
    /// removed or unmounted.</exception>
    public string? Flush()
    {
        if (IsElsewhere())
        {
            throw Gone(Errno.NoEntry);
        }

        return fileSystems.Flush() is int error and > 0 ? KernelFailure.Reason(error) : null;
    }

    public string? FlushFile(string path)
    {
        using Folder? parent = FindFolderOf(
            path,
            stackalloc byte[NativeText.NameBytes],
            out ReadOnlySpan<byte> name,
            out _
        );
        int handle = parent is null ? -Errno.NoEntry : Kernel.OpenFile(parent.Handle, name, forWriting: false);
        int result = handle < 0 ? handle : Kernel.Flush(handle);
        if (handle >= 0)
        {
            _ = Kernel.Close(handle);
        }

        return result < 0 ? KernelFailure.Reason(-result) : null;
    }

    public void TakeModes(IReadOnlyDictionary<string, int> modes, Action<string, int> opening)
    {
        if (opened is null)
        {
            return;
        }

        opened.Opened = opening;
        foreach ((string path, int mode) in modes)
        {
            opened.Take(path, mode);
        }
    }

    public void Dispose()
    {
        opened?.Close(path => Find(path, out _));
        fileSystems.Dispose();
        directWrites.Dispose();
        folders?.Dispose();
    }

    private ulong MountOf(in FileStatus status, string path) =>
        (useMountId ? status.MountId : null)
        ?? (mounts ??= MountTable.Read(folders?.RootHandle ?? -1))?.MountOf(path)
        ?? 0;

    private (TargetKind Kind, string? LinkTarget) LookAtLink(string path) =>
        Inspect(path).Kind is var kind && kind == TargetKind.Symlink ? (kind, ReadSymlink(path)) : (kind, null);

    private static bool IsNothing(int error) => error is Errno.NoEntry or Errno.NotFolder or Errno.Loop;

    /// <summary>
    /// The folder or, while it is missing, the nearest one above it that exists; the root if even
    /// that is missing.
    /// </summary>
    private (string Path, string FileSystem) NearestFolder(string folder)
    {
        TargetPath.Check(folder, orRoot: true);
        for (string existing = folder; ; existing = existing[..Math.Max(existing.LastIndexOf('/'), 0)])
        {
            using Folder? found = Find(existing, out _);
            if (found is not null && Kernel.StatusOfHandle(found.Handle, out FileStatus status) >= 0)
            {
                return (existing, $"{status.DeviceMajor}:{status.DeviceMinor}");
            }

            if (existing.Length == 0)
            {
                return ("", "");
            }
        }
    }

    private int OpenRoot() => Kernel.OpenRoot(NativeText.Encode(rootPath, stackalloc byte[NativeText.PathBytes]));

    private Folder? Find(ReadOnlySpan<char> path, out int error)
    {
        error = Errno.NoEntry;
        return folders?.Open(path, create: false, out error);
    }

    /// <summary>
    /// Checks a path and opens its folder; null with the error number if that fails. The name is in
    /// the buffer.
    /// </summary>
    private Folder? FindFolderOf(
        string path,
        Span<byte> buffer,
        out ReadOnlySpan<byte> name,
        out int error,
        bool orRoot = false
    )
    {
        TargetPath.Check(path, orRoot);
        ReadOnlySpan<char> folder = TargetPath.Split(path, out ReadOnlySpan<char> text);
        name = NativeText.Encode(text, buffer);
        return Find(folder, out error);
    }

    private Folder FindOrCreate(ReadOnlySpan<char> folder, string path)
    {
        Folder found =
            (folders ?? CreateRoot()).Open(folder, create: true, out int error)
            ?? throw Failure(error, path, "could not be created");
        LetChange(found);
        return found;
    }

    private void LetChange(Folder? folder)
    {
        if (folder is not null)
        {
            folders!.LetChange(folder);
        }
    }

    private void SetFinished(string path, EntryMetadata metadata, bool withPermissions)
    {
        folders!.SetFinished(path);
        if (withPermissions && metadata.Mode is not null)
        {
            opened?.Forget(path);
        }
    }

    private FolderCache CreateRoot()
    {
        lock (rootGate)
        {
            if (folders is { } made)
            {
                return made;
            }

            RootFolder.Create(rootPath);
            int handle = OpenRoot();
            return handle < 0
                ? throw new RestoreException(
                    RestoreErrorCode.TargetUnusable,
                    $"The target cannot be used: {KernelFailure.Reason(-handle)}",
                    rootPath
                )
                : folders = new FolderCache(handle, useOpenAt2, folderHandles, fileSystems, opened);
        }
    }

    /// <summary>
    /// The exception for a failure. If the target was empty and cannot be written, it is a failure
    /// of the whole restore.
    /// </summary>
    public Exception Failure(int error, string path, string what) =>
        error == Errno.AccessDenied
        && IsEmpty
        && this.folders is { } folders
        && !Kernel.MayWriteInto(folders.RootHandle)
            ? new RestoreException(RestoreErrorCode.TargetAccessDenied, "The target may not be written", rootPath)
        : IsGone(error) ? Gone(error)
        : KernelFailure.Of(error, Display(path), what);
}
