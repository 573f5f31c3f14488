using Restore.Ends.Unix;

namespace Restore.Ends.Linux;

/// <summary>
/// A short file has no name until it is whole (O_TMPFILE): to create it under a partial name and
/// rename it then costs a third more. One that is closed before that gets its partial name.
/// </summary>
internal sealed partial class LinuxTarget
{
    // A restore that is killed loses what a file without a name has.
    private const int MostUnnamedBytes = 64 << 10;

    private const int OwnerReadsAndWrites = 0x180;

    // By file system: whether its files can get their names later.
    private readonly ConcurrentDictionary<(uint Major, uint Minor), bool> namesLater = new();

    /// <summary>Gives an unnamed file the name at the end of a path in its folder.</summary>
    /// <returns>Zero, or the negative error number.</returns>
    public static int Name(int handle, Folder folder, string path)
    {
        _ = TargetPath.Split(path, out ReadOnlySpan<char> text);
        return Kernel.Name(handle, folder.Handle, NativeText.Encode(text, stackalloc byte[NativeText.NameBytes]));
    }

    /// <summary>Creates a short file, without its name if the file system can do that.</summary>
    private int CreateShort(Folder parent, ReadOnlySpan<byte> name, out bool isUnnamed)
    {
        isUnnamed = false;
        if (parent.NamesLater is null)
        {
            int handle = TryNaming(parent, name);
            if (handle >= 0)
            {
                return handle;
            }
        }

        int unnamed =
            parent.NamesLater == true ? Kernel.CreateUnnamed(parent.Handle, ".\0"u8, NewModes.UnfinishedFile) : -1;
        isUnnamed = unnamed >= 0;

        // If there is no unnamed file, the named one cannot be created either, and says why.
        return isUnnamed ? unnamed : Kernel.CreateFile(parent.Handle, name, NewModes.UnfinishedFile);
    }

    /// <summary>
    /// Finds out whether files of a folder can get their names later. Some file systems have no such
    /// files, and without /proc the name cannot be given: the first file of a file system tries it.
    /// </summary>
    /// <returns>The file that tried it and has its name; below zero if there is none.</returns>
    private int TryNaming(Folder parent, ReadOnlySpan<byte> name)
    {
        int handle = -1;
        if (Kernel.StatusOfHandle(parent.Handle, out FileStatus status) < 0)
        {
            parent.NamesLater = false;
        }
        else if (namesLater.TryGetValue(status.Device, out bool known))
        {
            parent.NamesLater = known;
        }
        else
        {
            handle = Kernel.CreateUnnamed(parent.Handle, ".\0"u8, NewModes.UnfinishedFile);
            if (handle >= 0 && Kernel.Name(handle, parent.Handle, name) < 0)
            {
                _ = Kernel.Close(handle);
                handle = -1;
            }

            parent.NamesLater = namesLater[status.Device] = handle >= 0;
        }

        return handle;
    }
}
