using System.Diagnostics;
using Restore.Tests.Ends;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Support;

/// <summary>
/// A disk with exFAT, which does not tell upper case from lower case and has no links: over FUSE,
/// in a file. The program that serves it ends with the mount. Needs root, FUSE and loop devices.
/// </summary>
internal sealed class ExFatDisk : IDisposable
{
    private static readonly TimeSpan MaxTime = TimeSpan.FromSeconds(20);

    private readonly TempFolder folder = new();
    private string? device;
    private bool isMounted;

    private ExFatDisk() { }

    public string Folder => Path.Combine(folder.Path, "mounted");

    private string Image => Path.Combine(folder.Path, "image");

    /// <summary>Mounts a new disk.</summary>
    /// <returns>Null if this system or this user cannot.</returns>
    public static ExFatDisk? TryMount()
    {
        ExFatDisk disk = new();
        Directory.CreateDirectory(disk.Folder);
        using (FileStream image = File.Create(disk.Image))
        {
            image.SetLength(16 << 20);
        }

        disk.device = Run("losetup", "--find", "--show", disk.Image)?.Trim();
        disk.isMounted =
            disk.device is { Length: > 0 }
            && Run("mkfs.exfat", disk.Image) is not null
            && Run("mount.exfat-fuse", disk.device, disk.Folder) is not null;
        if (disk.isMounted)
        {
            return disk;
        }

        disk.Dispose();
        return null;
    }

    public void Dispose()
    {
        if (isMounted)
        {
            Native.Unmount(Folder);
        }

        if (device is { Length: > 0 })
        {
            Run("losetup", "--detach", device);
        }

        folder.Dispose();
    }

    /// <summary>
    /// Runs a program with streams of its own; a server that it leaves behind must not hold those
    /// of the tests.
    /// </summary>
    /// <returns>What it wrote; null if it failed.</returns>
    private static string? Run(string program, params string[] arguments)
    {
        if (NeedsProgramsAttribute.Find(program) is not string path)
        {
            return null;
        }

        ProcessStartInfo start = new(
            "/bin/sh",
            ["-c", "exec \"$@\" < /dev/null 2> /dev/null", "sh", path, .. arguments]
        )
        {
            RedirectStandardOutput = true,
        };
        if (program.StartsWith("mount", StringComparison.Ordinal))
        {
            start.ArgumentList[1] = "exec \"$@\" < /dev/null > /dev/null 2>&1";
        }

        using Process process = Process.Start(start)!;
        try
        {
            string output = process.StandardOutput.ReadToEnd();
            return process.WaitForExit(MaxTime) && process.ExitCode == 0 ? output : null;
        }
        finally
        {
            if (!process.HasExited)
            {
                process.Kill(entireProcessTree: true);
            }
        }
    }
}
