using Restore.Ends.Unix;

namespace Restore.Ends.Linux;

internal sealed partial class LinuxTarget
{
    // XATTR_LIST_MAX and XATTR_SIZE_MAX of the kernel.
    private const int MaxAttributeBytes = 64 << 10;

    public void Rename(string from, string path, bool withPermissions)
    {
        TargetPath.Check(from);
        TargetPath.Check(path);
        ReadOnlySpan<char> folder = TargetPath.Split(path, out ReadOnlySpan<char> text);
        if (!TargetPath.Split(from, out ReadOnlySpan<char> fromText).SequenceEqual(folder))
        {
            throw new ArgumentException("Both paths are in one folder", nameof(from));
        }

        const string What = "could not be replaced";
        using Folder parent = Find(folder, out int error) ?? throw Failure(error, path, What);
        ReadOnlySpan<byte> name = NativeText.Encode(text, stackalloc byte[NativeText.NameBytes]);
        ReadOnlySpan<byte> fromName = NativeText.Encode(fromText, stackalloc byte[NativeText.NameBytes]);
        if (Kernel.Status(parent.Handle, name, out FileStatus old) >= 0)
        {
            if (old.Kind is TargetKind.Folder or TargetKind.Other)
            {
                string inTheWay = old.Kind == TargetKind.Folder ? "a folder" : "a device, pipe or socket";
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
        TargetPath.Check(from);
        TargetPath.Check(path);
        const string What = "could not be created";
        ReadOnlySpan<char> folder = TargetPath.Split(path, out ReadOnlySpan<char> text);
        _ = TargetPath.Split(from, out ReadOnlySpan<char> fromText);
        using Folder parent = Find(folder, out int error) ?? throw Failure(error, path, What);
        ReadOnlySpan<byte> name = NativeText.Encode(text, stackalloc byte[NativeText.NameBytes]);
        ReadOnlySpan<byte> fromName = NativeText.Encode(fromText, stackalloc byte[NativeText.NameBytes]);
        int result = Kernel.RenameNew(parent.Handle, fromName, name);
        if (result is -Errno.Invalid or -Errno.NotImplemented or -Errno.NotSupported)
        {
            result = LinkOrRename(parent, fromName, name);
        }

        return result >= 0 || (result == -Errno.Exists ? false : throw Failure(-result, path, What));
    }

    /// <summary>
    /// For file systems that cannot rename without replacing (NFS, FUSE): a second name and then the removal of the first. Where files have one name only, what
    /// is made between look and rename is replaced.
    /// </summary>
    private static int LinkOrRename(Folder parent, ReadOnlySpan<byte> from, ReadOnlySpan<byte> name)
    {
        int result = Kernel.Link(parent.Handle, from, name);
        if (result is not (-Errno.NotPermitted or -Errno.Invalid or -Errno.NotImplemented or -Errno.NotSupported))
        {
            return result < 0 ? result : Kernel.Unlink(parent.Handle, from);
        }

        return Kernel.Status(parent.Handle, name, out _) >= 0 ? -Errno.Exists : Kernel.Rename(parent.Handle, from, name);
    }

    /// <summary>Gives a new file what a file that was patched in place would have kept. What cannot be taken over is left out.</summary>
    private static void TakeOver(Folder parent, ReadOnlySpan<byte> name, ReadOnlySpan<byte> newName, in FileStatus old, bool withPermissions)
    {
        if (old.Kind != TargetKind.File || Kernel.Status(parent.Handle, newName, out FileStatus status) < 0 || status.Kind != TargetKind.File)
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
            bool isWanted = name.StartsWith("user."u8) || (!withPermissions && name.SequenceEqual("system.posix_acl_access\0"u8));
            if (isWanted && Kernel.ReadAttribute(from, name, value) is var length and >= 0)
            {
                _ = Kernel.SetAttribute(to, name, value.AsSpan(0, length), onlyNew: true);
            }
        }

        ArrayPool<byte>.Shared.Return(names);
        ArrayPool<byte>.Shared.Return(value);
    }
}
