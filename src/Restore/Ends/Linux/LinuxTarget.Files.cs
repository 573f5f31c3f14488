using Restore.Ends.Unix;

namespace Restore.Ends.Linux;

internal sealed partial class LinuxTarget
{
    private const int CopyBytes = 1 << 20;

    // XATTR_LIST_MAX and XATTR_SIZE_MAX of the kernel.
    private const int MaxAttributeBytes = 64 << 10;

    private readonly DirectWrites directWrites = new(TimeProvider.System);

    public ITargetFile OpenFile(string path, TargetOpenMode mode, long sizeBytes = 0)
    {
        try
        {
            return OpenOnce(path, mode, sizeBytes);
        }
        catch (IOException failure)
            when (failure.ToIssueCode() == IssueCode.TooManyOpenFiles && folders?.CloseUnused() == true)
        {
            return OpenOnce(path, mode, sizeBytes);
        }
    }

    public void Rename(string from, string path, bool withPermissions)
    {
        const string What = "could not be replaced";
        using Folder parent =
            FindFolderOf(path, stackalloc byte[NativeText.NameBytes], out ReadOnlySpan<byte> name, out int error)
            ?? throw Failure(error, path, What);
        LetChange(parent);
        ReadOnlySpan<byte> fromName = NativeText.Encode(NameNextTo(path, from), stackalloc byte[NativeText.NameBytes]);
        if (Kernel.Status(parent.Handle, name, out FileStatus old) >= 0)
        {
            if (!old.IsFile && !old.IsSymlink)
            {
                string inTheWay = old.IsFolder ? "a folder" : "a device, pipe or socket";
                throw new IOException($"'{Display(path)}' {What}: {inTheWay} is in the way");
            }

            TakeOver(parent, name, fromName, old, withPermissions);
        }

        int result = Kernel.Rename(parent.Handle, fromName, name);
        if (result < 0)
        {
            throw Failure(-result, path, What);
        }
    }

    public bool TryPutInPlace(string from, string path)
    {
        const string What = "could not be created";
        using Folder parent =
            FindFolderOf(path, stackalloc byte[NativeText.NameBytes], out ReadOnlySpan<byte> name, out int error)
            ?? throw Failure(error, path, What);
        LetChange(parent);
        ReadOnlySpan<byte> fromName = NativeText.Encode(NameNextTo(path, from), stackalloc byte[NativeText.NameBytes]);
        int result = Kernel.RenameNew(parent.Handle, fromName, name);
        if (result is -Errno.Invalid or -Errno.NotImplemented or -Errno.NotSupported)
        {
            result = LinkOrRename(parent, fromName, name);
        }

        return result >= 0 || (result == -Errno.Exists ? false : throw Failure(-result, path, What));
    }

    private LinuxFile OpenOnce(string path, TargetOpenMode mode, long sizeBytes)
    {
        TargetPath.Check(path);
        ReadOnlySpan<char> folder = TargetPath.Split(path, out ReadOnlySpan<char> text);
        ReadOnlySpan<byte> name = NativeText.Encode(text, stackalloc byte[NativeText.NameBytes]);
        using Folder parent =
            mode == TargetOpenMode.Read
                ? Find(folder, out int error) ?? throw Failure(error, path, "could not be opened")
                : FindOrCreate(folder, path);
        if (mode == TargetOpenMode.CreateNew && sizeBytes is > 0 and <= MostUnnamedBytes)
        {
            int created = CreateShort(parent, name, out bool isUnnamed);
            return created < 0
                ? throw Failure(-created, path, "could not be created")
                : new LinuxFile(this, path, created, directWrites: null, isUnnamed ? parent.Keep() : null);
        }

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

        return new LinuxFile(
            this,
            path,
            handle,
            mode == TargetOpenMode.CreateNew && sizeBytes >= DirectWrites.LeastFileBytes ? directWrites : null
        );
    }

    private int CreateOrOpen(Folder parent, ReadOnlySpan<byte> name, string path)
    {
        int handle = Kernel.CreateFile(parent.Handle, name, NewModes.UnfinishedFile);
        return handle == -Errno.Exists ? OpenExisting(parent, name, path, forWriting: true, out _) : handle;
    }

    private int OpenToPatch(Folder parent, ReadOnlySpan<byte> name, string path)
    {
        int handle = OpenExisting(parent, name, path, forWriting: true, out FileStatus status);

        // A file that is read-only for this user, or is a running program, cannot be written but
        // may be replaced.
        bool isLocked = handle is -Errno.AccessDenied or -Errno.TextBusy;
        handle = isLocked ? OpenExisting(parent, name, path, forWriting: false, out status) : handle;
        if (handle < 0)
        {
            throw Failure(-handle, path, "could not be opened for writing");
        }

        return isLocked || status.LinkCount > 1 ? ReplaceByOwnCopy(parent, name, path, handle, status) : handle;
    }

    /// <summary>
    /// Opens a regular file. Returns the negative error number if another way may work; throws if
    /// none will.
    /// </summary>
    private int OpenExisting(
        Folder parent,
        ReadOnlySpan<byte> name,
        string path,
        bool forWriting,
        out FileStatus status
    )
    {
        // Checked before opening: opening a device has effects; a tape rewinds.
        int look = Kernel.Status(parent.Handle, name, out status);
        if (look >= 0 && !status.IsFile)
        {
            throw NotRegular(path);
        }

        int handle = look < 0 ? look : Kernel.OpenFile(parent.Handle, name, forWriting);
        if (handle == -Errno.AccessDenied && !forWriting && opened is not null)
        {
            handle = opened.OpenFile(parent.Handle, name, status);
        }

        if (handle is -Errno.AccessDenied or -Errno.TextBusy && forWriting)
        {
            return handle;
        }

        int result = handle < 0 ? handle : Kernel.StatusOfHandle(handle, out status);
        if (result >= 0 && status.IsFile)
        {
            return handle;
        }

        if (handle >= 0)
        {
            _ = Kernel.Close(handle);
        }

        throw result < 0 ? Failure(-result, path, "could not be opened") : NotRegular(path);
    }

    private IOException NotRegular(string path) =>
        new($"'{Display(path)}' could not be opened: it is not a regular file");

    /// <summary>
    /// Replaces a file by a copy, so that patching does not change other hard links of the file.
    /// </summary>
    private int ReplaceByOwnCopy(Folder parent, ReadOnlySpan<byte> name, string path, int source, in FileStatus status)
    {
        const int OwnerOnly = 0x180;
        const int PermissionBits = 0x1FF;
        ReadOnlySpan<byte> copyName = NativeText.Encode(
            TargetPath.NameOfCopy(Path.GetFileName(path)),
            stackalloc byte[NativeText.NameBytes]
        );
        int copy = Kernel.CreateFile(parent.Handle, copyName, OwnerOnly);
        if (copy == -Errno.Exists && Kernel.Unlink(parent.Handle, copyName) >= 0)
        {
            copy = Kernel.CreateFile(parent.Handle, copyName, OwnerOnly);
        }

        int result = copy < 0 ? copy : Copy(source, copy);
        result = result < 0 ? result : Kernel.ChangeMode(copy, status.Mode & PermissionBits);
        if (result >= 0)
        {
            TakeOver(parent, name, copyName, status, withPermissions: false);
        }

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

    /// <summary>The last name of a path that is in the same folder as another one.</summary>
    private static ReadOnlySpan<char> NameNextTo(string path, string other)
    {
        TargetPath.Check(other);
        return TargetPath.Split(other, out ReadOnlySpan<char> name).SequenceEqual(TargetPath.Split(path, out _))
            ? name
            : throw new ArgumentException("Both paths are in one folder", nameof(other));
    }

    /// <summary>
    /// For file systems that cannot rename without replacing (NFS, FUSE): a second name and then
    /// the removal of the first. Where files have one name only, what is made between look and
    /// rename is replaced.
    /// </summary>
    private static int LinkOrRename(Folder parent, ReadOnlySpan<byte> from, ReadOnlySpan<byte> name)
    {
        int result = Kernel.Link(parent.Handle, from, name);
        if (result is not (-Errno.NotPermitted or -Errno.Invalid or -Errno.NotImplemented or -Errno.NotSupported))
        {
            return result < 0 ? result : Kernel.Unlink(parent.Handle, from);
        }

        return Kernel.Status(parent.Handle, name, out _) >= 0
            ? -Errno.Exists
            : Kernel.Rename(parent.Handle, from, name);
    }

    /// <summary>
    /// Gives a new file what a file that was patched in place would have kept. What cannot be taken
    /// over is left out.
    /// </summary>
    private static void TakeOver(
        Folder parent,
        ReadOnlySpan<byte> name,
        ReadOnlySpan<byte> newName,
        in FileStatus old,
        bool withPermissions
    )
    {
        if (!old.IsFile || Kernel.Status(parent.Handle, newName, out FileStatus status) < 0 || !status.IsFile)
        {
            return;
        }

        int file = Kernel.OpenFile(parent.Handle, newName, forWriting: false);
        if (file < 0)
        {
            return;
        }

        if (!withPermissions && (status.User != old.User || status.Group != old.Group))
        {
            _ = Kernel.ChangeOwner(file, old.User, old.Group);
        }

        int replaced = Kernel.OpenFile(parent.Handle, name, forWriting: false);
        if (replaced >= 0)
        {
            CopyAttributes(replaced, file, withPermissions);
            _ = Kernel.Close(replaced);
        }

        if (!withPermissions)
        {
            _ = Kernel.ChangeMode(file, NewModes.Replacing(old.Mode, status.Mode));
        }

        _ = Kernel.Close(file);
    }

    private static void CopyAttributes(int from, int to, bool withPermissions)
    {
        byte[] names = ArrayPool<byte>.Shared.Rent(MaxAttributeBytes);
        byte[] value = ArrayPool<byte>.Shared.Rent(MaxAttributeBytes);
        int left = Kernel.ListAttributes(from, names);
        ReadOnlySpan<byte> rest = names.AsSpan(0, Math.Max(left, 0));
        while (rest.IndexOf((byte)0) is var end and > 0)
        {
            ReadOnlySpan<byte> name = rest[..(end + 1)];
            rest = rest[(end + 1)..];
            bool isWanted =
                name.StartsWith("user."u8) || (!withPermissions && name.SequenceEqual("system.posix_acl_access\0"u8));
            if (isWanted && Kernel.ReadAttribute(from, name, value) is var length and >= 0)
            {
                _ = Kernel.SetAttribute(to, name, value.AsSpan(0, length), onlyNew: true);
            }
        }

        ArrayPool<byte>.Shared.Return(names);
        ArrayPool<byte>.Shared.Return(value);
    }
}
