using Microsoft.Win32.SafeHandles;

namespace Restore.Ends.Portable;

/// <summary>
/// The volume of a target on Windows, which is flushed once instead of each file, where the user
/// may. Safe for concurrent use.
/// </summary>
internal sealed class FlushedVolume : IDisposable
{
    private readonly SafeFileHandle handle;
    private readonly string path;
    private readonly Lock gate = new();

    // Most files lie in the folder of the file before.
    private (string Folder, bool IsOn) last = ("", false);

    private FlushedVolume(SafeFileHandle handle, string path)
    {
        this.handle = handle;
        this.path = path;
    }

    /// <summary>
    /// Null on other systems, for a share, without the rights of an administrator, and for a volume
    /// that cannot be flushed as a whole.
    /// </summary>
    public static FlushedVolume? Open(PathRoot root)
    {
        if (
            !OperatingSystem.IsWindows()
            || !root.IsFolder
            || Windows.VolumeOf(root.Path) is not { } path
            || Windows.TryOpenVolume(path) is not { } handle
        )
        {
            return null;
        }

        // Not every driver can do it. At the end of a restore that would be known too late: no file
        // would be on the device.
        FlushedVolume volume = new(handle, path);
        if (volume.Flush() is null)
        {
            return volume;
        }

        volume.Dispose();
        return null;
    }

    /// <summary>
    /// Whether files in a folder are on this volume: another can be mounted below the target.
    /// </summary>
    public bool Has(string folder)
    {
        (string Folder, bool IsOn) known;
        lock (gate)
        {
            known = last;
        }

        if (known.Folder != folder)
        {
            known = (folder, string.Equals(Windows.VolumeOf(folder), path, StringComparison.OrdinalIgnoreCase));
            lock (gate)
            {
                last = known;
            }
        }

        return known.IsOn;
    }

    /// <returns>Why the device does not have all files, as a sentence; null if it has.</returns>
    public string? Flush()
    {
        try
        {
            Windows.FlushVolume(handle);
            return null;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return failure.Reason();
        }
    }

    public void Dispose() => handle.Dispose();
}
