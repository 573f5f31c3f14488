using Microsoft.Win32.SafeHandles;
using Restore.Ends.Unix;

namespace Restore.Ends.Portable;

internal sealed partial class PortableTarget
{
    private const FileShare Shared = FileShare.Read | FileShare.Delete;

    public ITargetFile OpenFile(string path, TargetOpenMode mode, long sizeBytes = 0)
    {
        Check(path);
        if (mode != TargetOpenMode.Read)
        {
            CreateFolderFor(FolderOf(path), path);
        }
        else if (Run(path, "could not be opened", () => folders.Look(FolderOf(path))) != TargetKind.Folder)
        {
            throw new IOException($"'{Display(path)}' could not be opened: it is not there, or a link is in the way");
        }

        SafeFileHandle handle = mode switch
        {
            TargetOpenMode.CreateNew => Create(path),
            TargetOpenMode.Patch => OpenToPatch(path),
            TargetOpenMode.Share => CreateOrOpen(path),
            _ => OpenToRead(path),
        };
        bool isWritable = mode != TargetOpenMode.Read;
        return new PortableFile(this, path, handle, isWritable, isWritable && FlushesIn(FolderOf(path)));
    }

    private bool FlushesIn(string folder) => flushesFiles && volume.Value?.Has(FullPath(folder)) != true;

    /// <summary>
    /// Checks the path first, because creating a file follows a dangling link on Windows.
    /// </summary>
    private SafeFileHandle Create(string path) =>
        Run(
            path,
            "could not be created",
            () =>
                PortableLook.At(FullPath(path)).Kind == TargetKind.Nothing
                    ? OpenNew(FullPath(path))
                    : throw new IOException("something of that name is there already")
        );

    private SafeFileHandle CreateOrOpen(string path) =>
        Run(
            path,
            "could not be created",
            () =>
            {
                string fullPath = FullPath(path);
                if (PortableLook.At(fullPath).Kind == TargetKind.Nothing)
                {
                    try
                    {
                        // Others must be able to write to it immediately.
                        OpenNew(fullPath).Dispose();
                    }
                    catch (IOException) when (PortableLook.At(fullPath).Kind == TargetKind.File)
                    {
                        // Another machine was first.
                    }
                }

                RequireFile(PortableLook.At(fullPath));
                return File.OpenHandle(
                    fullPath,
                    FileMode.Open,
                    FileAccess.ReadWrite,
                    FileShare.ReadWrite | FileShare.Delete
                );
            }
        );

    private static SafeFileHandle OpenNew(string fullPath)
    {
        if (OperatingSystem.IsWindows())
        {
            return File.OpenHandle(fullPath, FileMode.CreateNew, FileAccess.ReadWrite, Shared);
        }

        FileStreamOptions options = new()
        {
            Mode = FileMode.CreateNew,
            Access = FileAccess.ReadWrite,
            Share = Shared,
            BufferSize = 0,
            UnixCreateMode = (UnixFileMode)NewModes.UnfinishedFile,
        };

        // Only a stream can be opened with a mode. Its handle lives on without it: the finalizer of
        // a stream does not close it.
        return new FileStream(fullPath, options).SafeFileHandle;
    }

    private SafeFileHandle OpenToRead(string path) =>
        Run(
            path,
            "could not be opened",
            () =>
            {
                RequireFile(PortableLook.At(FullPath(path)));
                return held.Retry(() =>
                    File.OpenHandle(
                        FullPath(path),
                        FileMode.Open,
                        FileAccess.Read,
                        FileShare.ReadWrite | FileShare.Delete
                    )
                );
            }
        );

    private SafeFileHandle OpenToPatch(string path) =>
        Run(
            path,
            "could not be opened for writing",
            () =>
            {
                string fullPath = FullPath(path);
                TargetStatus status = PortableLook.At(fullPath);
                RequireFile(status);
                if (OperatingSystem.IsWindows())
                {
                    SafeFileHandle? opened = null;
                    Func<SafeFileHandle> open =
                        status.LinkCount > 1
                            ? () => ReplaceByOwnCopy(fullPath)
                            : () => File.OpenHandle(fullPath, FileMode.Open, FileAccess.ReadWrite, Shared);
                    held.Retry(() => Windows.WithoutReadOnly(fullPath, () => opened = open()));
                    return opened!;
                }

                return status.LinkCount > 1 || !File.GetUnixFileMode(fullPath).HasFlag(UnixFileMode.UserWrite)
                    ? ReplaceByOwnCopy(fullPath)
                    : File.OpenHandle(fullPath, FileMode.Open, FileAccess.ReadWrite, Shared);
            }
        );

    /// <summary>
    /// Replaces a file by a copy, so that patching does not change other hard links of the file.
    /// </summary>
    private static SafeFileHandle ReplaceByOwnCopy(string fullPath)
    {
        string copyPath = Path.Join(Path.GetDirectoryName(fullPath), TargetPath.NameOfCopy(Path.GetFileName(fullPath)));
        try
        {
            File.Delete(copyPath);
            File.Copy(fullPath, copyPath);
            if (OperatingSystem.IsWindows())
            {
                File.Move(copyPath, fullPath, overwrite: true);
                return File.OpenHandle(fullPath, FileMode.Open, FileAccess.ReadWrite, Shared);
            }

            UnixFileMode mode = File.GetUnixFileMode(copyPath);
            File.SetUnixFileMode(copyPath, mode | UnixFileMode.UserRead | UnixFileMode.UserWrite);
            SafeFileHandle copy = File.OpenHandle(copyPath, FileMode.Open, FileAccess.ReadWrite, Shared);
            File.SetUnixFileMode(copy, mode);
            File.Move(copyPath, fullPath, overwrite: true);
            return copy;
        }
        catch
        {
            File.Delete(copyPath);
            throw;
        }
    }

    private static void RequireFile(TargetStatus status)
    {
        if (status.Kind != TargetKind.File)
        {
            throw new IOException(
                status.Kind == TargetKind.Nothing ? "it is not there, or no longer" : "it is not a regular file"
            );
        }
    }
}
