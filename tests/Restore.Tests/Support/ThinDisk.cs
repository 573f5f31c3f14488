using System.Diagnostics;
using Restore.Tests.Ends;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Support;

/// <summary>
/// A disk that has less room than its file system believes, as a thinly provisioned one: ext4 or
/// btrfs in a sparse file of a small file system in memory. Writes go into the page cache; the
/// device fails when they are flushed. Needs root and loop devices.
/// </summary>
internal sealed class ThinDisk : IDisposable
{
    private readonly TempFolder folder = new();

    private ThinDisk() { }

    public string Folder => Path.Combine(folder.Path, "mounted");

    private string Backing => Path.Combine(folder.Path, "backing");

    private string Image => Path.Combine(Backing, "image");

    /// <summary>Mounts a disk that claims 200 MB and has fewer.</summary>
    /// <param name="fileSystem">Its file system: ext4 or btrfs.</param>
    /// <returns>Null if this system or this user cannot.</returns>
    public static ThinDisk? TryMount(int realMegabytes, string fileSystem = "ext4")
    {
        ThinDisk disk = new();
        Directory.CreateDirectory(disk.Folder);
        Directory.CreateDirectory(disk.Backing);
        if (!Native.Mount(disk.Backing, $"size={realMegabytes}m"))
        {
            disk.folder.Dispose();
            return null;
        }

        using (FileStream image = File.Create(disk.Image))
        {
            image.SetLength(200 << 20);
        }

        string[] settings = fileSystem == "ext4" ? ["-F", "-m0"] : ["-f"];
        if (
            Run("mkfs." + fileSystem, ["-q", .. settings, disk.Image])
            && Run("mount", "-o", "loop", disk.Image, disk.Folder)
        )
        {
            return disk;
        }

        Native.Unmount(disk.Backing);
        disk.folder.Dispose();
        return null;
    }

    /// <summary>
    /// Gives the disk the room that it claims, detaches and attaches it, so that only what it took
    /// can be read.
    /// </summary>
    public void Reattach()
    {
        Assert.True(Run("mount", "-o", "remount,size=400m", Backing));
        Assert.True(Run("umount", Folder));
        Assert.True(Run("mount", "-o", "loop", Image, Folder));
    }

    public void Dispose()
    {
        Run("umount", Folder);
        Native.Unmount(Backing);
        folder.Dispose();
    }

    private static bool Run(string program, params string[] arguments)
    {
        if (NeedsProgramsAttribute.Find(program) is not string path)
        {
            return false;
        }

        ProcessStartInfo start = new(path, arguments) { RedirectStandardError = true, RedirectStandardOutput = true };
        using Process process = Process.Start(start)!;
        process.StandardError.ReadToEnd();
        process.WaitForExit();
        return process.ExitCode == 0;
    }
}
