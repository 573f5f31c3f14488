namespace Restore.Ends.Linux;

/// <summary>
/// The file systems that the folders of a target are on, each with a handle to flush it by. The
/// kernel reports the failures of a device since the handle was opened, so it is opened before
/// anything is written. Safe for concurrent use.
/// </summary>
internal sealed class FileSystems : IDisposable
{
    private readonly Lock gate = new();
    private readonly Dictionary<(uint Major, uint Minor), int> handles = [];

    /// <summary>Takes note of the file system of a folder.</summary>
    /// <param name="folder">A handle of the folder; it may be one for paths only.</param>
    public void Add(int folder)
    {
        if (Kernel.StatusOfHandle(folder, out FileStatus status) < 0)
        {
            return;
        }

        lock (gate)
        {
            if (!handles.ContainsKey(status.Device))
            {
                handles.Add(status.Device, Kernel.OpenFolderToRead(folder, ".\0"u8));
            }
        }
    }

    /// <summary>Waits until the devices have all that was written.</summary>
    /// <returns>The error number of the first device that failed; 0 if none did.</returns>
    public int Flush()
    {
        int error = 0;
        lock (gate)
        {
            foreach (int handle in handles.Values)
            {
                // A folder that may not be read cannot be opened for this: flushing everything
                // takes longer, and reports nothing.
                int result = handle < 0 ? Kernel.FlushAll() : Kernel.FlushFileSystem(handle);
                error = result < 0 && error == 0 ? -result : error;
            }
        }

        return error;
    }

    public void Dispose()
    {
        lock (gate)
        {
            foreach (int handle in handles.Values.Where(handle => handle >= 0))
            {
                _ = Kernel.Close(handle);
            }

            handles.Clear();
        }
    }
}
