namespace Restore.Storage.Local;

/// <summary>
/// Which folder a path leads to, so that nothing is written to another one: a disk that is
/// unmounted leaves an empty folder under the same path, on the disk below. Safe for concurrent
/// use.
/// </summary>
internal sealed class FolderIdentity(string folder)
{
    private readonly Lock gate = new();
    private readonly List<string> proofs = [];
    private (ulong Device, UInt128 File)? known;

    // For a file system without such numbers: any folder may be the same one.
    private static (ulong Device, UInt128 File) Unknown => default;

    /// <summary>
    /// Whether the folder is there. From the first time that it is, it must stay the same folder.
    /// </summary>
    /// <exception cref="IOException">It is gone, another folder has its path now, or it cannot be
    /// looked at.</exception>
    public bool IsThere()
    {
        lock (gate)
        {
            (ulong Device, UInt128 File)? now = Look();

            // Numbers that the file system does not have prove nothing, neither before nor now.
            if (known is { } before && now != before && (now is null || (before != Unknown && now != Unknown)))
            {
                // A network file system that was mounted again can have another number for the same
                // folder, with our files in it.
                known =
                    now is not null && proofs.Exists(name => File.Exists(Path.Join(folder, name)))
                        ? now
                        : throw new DirectoryNotFoundException(
                            now is null
                                ? $"{folder} is gone"
                                : $"{folder} is another folder now: its disk was unmounted, or the folder was replaced"
                        );
            }

            known ??= now;
            return now is not null;
        }
    }

    /// <summary>
    /// Takes note of a file that was put into the folder: one that has it is the same folder.
    /// </summary>
    public void Note(string name)
    {
        lock (gate)
        {
            // The first one is mostly the lock, which is there until the end.
            if (proofs.Count == 2)
            {
                proofs.RemoveAt(1);
            }

            proofs.Add(name);
        }
    }

    /// <summary>The numbers of device and folder; null if there is no folder.</summary>
    private (ulong Device, UInt128 File)? Look()
    {
        if (OperatingSystem.IsLinux())
        {
            int result = Kernel.StatusFollowing(
                Kernel.CurrentFolder,
                NativeText.Encode(folder, stackalloc byte[NativeText.PathBytes]),
                out FileStatus status
            );
            return result switch
            {
                -Errno.NoEntry or -Errno.NotFolder => null,
                < 0 => throw new IOException(
                    $"{folder} cannot be looked at: {Marshal.GetPInvokeErrorMessage(-result)}"
                ),
                _ when !status.IsFolder => throw new IOException($"{folder} is a file"),
                _ => (((ulong)status.DeviceMajor << 32) | status.DeviceMinor, status.Number),
            };
        }

        if (!Directory.Exists(folder))
        {
            return File.Exists(folder) ? throw new IOException($"{folder} is a file") : null;
        }

        if (OperatingSystem.IsWindows())
        {
            return Windows.NumbersOf(folder);
        }

        // macOS keeps the time of creation. Elsewhere .NET may take the time of the last change for
        // it.
        return OperatingSystem.IsMacOS() ? (0, (UInt128)Directory.GetCreationTimeUtc(folder).Ticks) : Unknown;
    }
}
