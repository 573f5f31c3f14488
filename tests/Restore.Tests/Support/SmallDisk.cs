using System.Diagnostics;
using Restore.Tests.Ends;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Support;

/// <summary>
/// A disk of a few megabytes with ext4, whose folders take more room as they get more names. Needs
/// root and loop devices.
/// </summary>
internal sealed class SmallDisk : IDisposable
{
    private readonly TempFolder folder = new();

    private SmallDisk() { }

    public string Folder => Path.Combine(folder.Path, "mounted");

    private string Image => Path.Combine(folder.Path, "image");

    /// <summary>Mounts a new disk.</summary>
    /// <returns>Null if this system or this user cannot.</returns>
    public static SmallDisk? TryMount(int megabytes)
    {
        SmallDisk disk = new();
        Directory.CreateDirectory(disk.Folder);
        using (FileStream image = File.Create(disk.Image))
        {
            image.SetLength(megabytes << 20);
        }

        if (
            Environment.IsPrivilegedProcess
            && Run("mkfs.ext4", "-q", "-F", "-m0", "-b1024", "-N2048", disk.Image)
            && Run("mount", "-o", "loop", disk.Image, disk.Folder)
        )
        {
            return disk;
        }

        disk.folder.Dispose();
        return null;
    }

    /// <summary>
    /// Takes all room, and then the room for names that the blocks of a folder have left.
    /// </summary>
    public static void Fill(string folder, int shortestName = 1)
    {
        using (
            FileStream filler = new(
                Path.Join(folder, $"filler-{Guid.NewGuid():N}"),
                FileMode.CreateNew,
                FileAccess.Write,
                FileShare.None,
                bufferSize: 0
            )
        )
        {
            byte[] part = new byte[1024];
            while (IsPossible(() => filler.Write(part))) { }
        }

        for (int length = 200; length >= shortestName; length = length > 20 ? length - 20 : length - 1)
        {
            for (
                int number = 0;
                IsPossible(() => File.Create(Path.Join(folder, $"{number}".PadLeft(length, '0'))).Dispose());
                number++
            )
            {
                if (number == (int)Math.Pow(10, Math.Min(length, 4)) - 1)
                {
                    break;
                }
            }
        }
    }

    public void Clear()
    {
        foreach (string file in Directory.GetFiles(Folder))
        {
            File.Delete(file);
        }
    }

    public void Dispose()
    {
        Run("umount", Folder);
        folder.Dispose();
    }

    private static bool IsPossible(Action action) =>
        Record.Exception(action) switch
        {
            null => true,
            IOException => false,
            Exception other => throw other,
        };

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
