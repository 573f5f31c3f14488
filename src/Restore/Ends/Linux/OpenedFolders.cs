namespace Restore.Ends.Linux;

/// <summary>
/// The folders of a target that the current user owns, but may not list or change because of their
/// mode. A restore that sets modes creates such folders, and the next restore must look into them.
/// They are opened to their owner, and get their modes back at the end. Safe for concurrent use.
/// </summary>
internal sealed class OpenedFolders
{
    private const int OwnerAll = 0x1C0;
    private const int OwnerReads = 0x140;

    private readonly Lock gate = new();
    private readonly Dictionary<string, int> modes = new(StringComparer.Ordinal);
    private readonly uint user = Libc.GetEUid();

    /// <summary>Called with the path and the mode of each folder that is opened.</summary>
    public Action<string, int>? Opened { get; set; }

    /// <summary>Opens a folder, if it is closed to its owner.</summary>
    /// <param name="toChange">Whether names in it are to be changed, and not only looked
    /// at.</param>
    public void Open(int handle, string path, bool toChange)
    {
        if (user == 0 || Kernel.StatusOfHandle(handle, out FileStatus status) < 0 || status.User != user)
        {
            // The super-user needs no permission.
            return;
        }

        int needed = toChange ? OwnerAll : OwnerReads;
        if ((status.Mode & needed) == needed)
        {
            return;
        }

        Opened?.Invoke(path, status.Mode);
        if (Kernel.ChangeModeOfPathHandle(handle, status.Mode | OwnerAll) >= 0)
        {
            Take(path, status.Mode);
        }
    }

    /// <summary>
    /// Opens a file that its owner may not read, and immediately gives it its mode back.
    /// </summary>
    /// <returns>The handle, or the negative error number.</returns>
    public int OpenFile(int folder, ReadOnlySpan<byte> name, in FileStatus status)
    {
        const int OwnerMayRead = 0x100;
        int path =
            user == 0 || status.User != user ? -Errno.AccessDenied : Kernel.OpenPath(folder, name, followsLinks: false);
        if (path < 0)
        {
            return path;
        }

        int result = Kernel.ChangeModeOfPathHandle(path, status.Mode | OwnerMayRead);
        result = result < 0 ? result : Kernel.OpenFile(folder, name, forWriting: false);
        _ = Kernel.ChangeModeOfPathHandle(path, status.Mode);
        _ = Kernel.Close(path);
        return result;
    }

    /// <summary>
    /// Takes note of the mode that a folder gets back. An earlier run that was killed may have
    /// opened it.
    /// </summary>
    public void Take(string path, int mode)
    {
        lock (gate)
        {
            modes.TryAdd(path, mode);
        }
    }

    /// <summary>Takes note that a folder has another mode now, for good.</summary>
    public void Forget(string path)
    {
        lock (gate)
        {
            modes.Remove(path);
        }
    }

    /// <summary>
    /// Gives the folders their modes back, the deepest first: what is above a folder must be open
    /// until then.
    /// </summary>
    public void Close(Func<string, Folder?> find)
    {
        while (TakeDeepest() is (string path, int mode))
        {
            using Folder? folder = find(path);

            // A mode that changed in the meantime is left alone.
            if (
                folder is not null
                && Kernel.StatusOfHandle(folder.Handle, out FileStatus status) >= 0
                && status.Mode == (mode | OwnerAll)
            )
            {
                _ = Kernel.ChangeModeOfPathHandle(folder.Handle, mode);
            }
        }
    }

    private (string Path, int Mode)? TakeDeepest()
    {
        lock (gate)
        {
            if (modes.Count == 0)
            {
                return null;
            }

            (string path, int mode) = modes.MaxBy(folder =>
                folder.Key.Length == 0 ? -1 : folder.Key.Count(letter => letter == '/')
            );
            modes.Remove(path);
            return (path, mode);
        }
    }
}
