using Restore.Ends.Unix;

namespace Restore.Ends.Linux;

internal sealed partial class LinuxTarget
{
    private const int CopyBytes = 1 << 20;

    private readonly DirectWrites directWrites = new(TimeProvider.System);

    public ITargetFile OpenFile(string path, TargetOpenMode mode, long sizeBytes = 0)
    {
        try
        {
            return OpenOnce(path, mode, sizeBytes);
        }
        catch (IOException failure) when (failure.ToIssueCode() == IssueCode.TooManyOpenFiles && folders?.CloseUnused() == true)
        {
            return OpenOnce(path, mode, sizeBytes);
        }
    }

    private LinuxFile OpenOnce(string path, TargetOpenMode mode, long sizeBytes)
    {
        TargetPath.Check(path);
        ReadOnlySpan<char> folder = TargetPath.Split(path, out ReadOnlySpan<char> text);
        ReadOnlySpan<byte> name = NativeText.Encode(text, stackalloc byte[NativeText.NameBytes]);
        using Folder parent = mode == TargetOpenMode.Read
            ? Find(folder, out int error) ?? throw Failure(error, path, "could not be opened")
            : FindOrCreate(folder, path);
        int handle = mode switch
        {
            TargetOpenMode.Read => OpenExisting(parent, name, path, forWriting: false, out _),
            TargetOpenMode.Patch => OpenToPatch(parent, name, path),
            TargetOpenMode.Share => CreateOrOpen(parent, name, path),
            _ => Kernel.CreateFile(parent.Handle, name, NewModes.UnfinishedFile),
        };
        if (handle < 0)
        {
            throw Failure(-handle, path, "could not be created");
        }

        return new LinuxFile(this, path, handle, mode == TargetOpenMode.CreateNew && sizeBytes >= DirectWrites.LeastFileBytes ? directWrites : null);
    }

    private int CreateOrOpen(Folder parent, ReadOnlySpan<byte> name, string path)
    {
        int handle = Kernel.CreateFile(parent.Handle, name, NewModes.UnfinishedFile);
        return handle == -Errno.Exists ? OpenExisting(parent, name, path, forWriting: true, out _) : handle;
    }

    private int OpenToPatch(Folder parent, ReadOnlySpan<byte> name, string path)
    {
        int handle = OpenExisting(parent, name, path, forWriting: true, out FileStatus status);

        // A file that is read-only for this user, or is a running program, cannot be written but may be replaced.
        bool isLocked = handle is -Errno.AccessDenied or -Errno.TextBusy;
        handle = isLocked ? OpenExisting(parent, name, path, forWriting: false, out status) : handle;
        if (handle < 0)
        {
            throw Failure(-handle, path, "could not be opened for writing");
        }

        return isLocked || status.LinkCount > 1 ? ReplaceByOwnCopy(parent, name, path, handle, status.Mode) : handle;
    }

    /// <summary>Opens a regular file. Returns the negative error number if another way may work; throws if none will.</summary>
    private int OpenExisting(Folder parent, ReadOnlySpan<byte> name, string path, bool forWriting, out FileStatus status)
    {
        // Checked before opening: opening a device has effects; a tape rewinds.
        int look = Kernel.Status(parent.Handle, name, out status);
        if (look >= 0 && status.Kind != TargetKind.File)
        {
            throw NotRegular(path);
        }

        int handle = look < 0 ? look : Kernel.OpenFile(parent.Handle, name, forWriting);
        if (handle is -Errno.AccessDenied or -Errno.TextBusy && forWriting)
        {
            return handle;
        }

        int result = handle < 0 ? handle : Kernel.StatusOfHandle(handle, out status);
        if (result >= 0 && status.Kind == TargetKind.File)
        {
            return handle;
        }

        if (handle >= 0)
        {
            _ = Kernel.Close(handle);
        }

        throw result < 0 ? Failure(-result, path, "could not be opened") : NotRegular(path);
    }

    private IOException NotRegular(string path) => new($"'{Display(path)}' could not be opened: it is not a regular file");

    /// <summary>Replaces a file by a copy, so that patching does not change other hard links of the file.</summary>
    private int ReplaceByOwnCopy(Folder parent, ReadOnlySpan<byte> name, string path, int source, int mode)
    {
        const int OwnerOnly = 0x180;
        const int PermissionBits = 0x1FF;
        ReadOnlySpan<byte> copyName = NativeText.Encode(OwnCopy.NameFor(Path.GetFileName(path)), stackalloc byte[NativeText.NameBytes]);
        int copy = Kernel.CreateFile(parent.Handle, copyName, OwnerOnly);
        if (copy == -Errno.Exists && Kernel.Unlink(parent.Handle, copyName) >= 0)
        {
            copy = Kernel.CreateFile(parent.Handle, copyName, OwnerOnly);
        }

        int result = copy < 0 ? copy : Copy(source, copy);
        result = result < 0 ? result : Kernel.ChangeMode(copy, mode & PermissionBits);
        result = result < 0 ? result : Kernel.Rename(parent.Handle, copyName, name);
        _ = Kernel.Close(source);
        if (result >= 0)
        {
            return copy;
        }

        if (copy >= 0)
        {
            _ = Kernel.Unlink(parent.Handle, copyName);
            _ = Kernel.Close(copy);
        }

        throw Failure(-result, path, "could not be replaced by a copy of its own");
    }

    private static int Copy(int source, int copy)
    {
        byte[] buffer = ArrayPool<byte>.Shared.Rent(CopyBytes);
        try
        {
            long offset = 0;
            int length;
            while ((length = Kernel.Read(source, buffer, offset)) > 0)
            {
                int result = Kernel.WriteAll(copy, buffer.AsSpan(0, length), offset);
                if (result < 0)
                {
                    return result;
                }

                offset += length;
            }

            return length;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(buffer);
        }
    }
}
