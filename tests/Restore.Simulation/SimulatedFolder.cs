namespace Restore.Simulation;

/// <summary>
/// The folder of the target, in memory where the system has such a folder, with files of the user.
/// </summary>
internal sealed class SimulatedFolder : IDisposable
{
    private const string Memory = "/dev/shm";

    /// <param name="seed">The seed that chooses the files of the user.</param>
    /// <param name="volumes">The backup that will be restored.</param>
    public SimulatedFolder(int seed, MadeVolumes volumes)
    {
        string parent = Directory.Exists(Memory) ? Memory : System.IO.Path.GetTempPath();
        Path = System.IO.Path.Combine(
            parent,
            $"restore-simulation-{Environment.ProcessId}-{Environment.CurrentManagedThreadId}"
        );
        Directory.CreateDirectory(Path);
        Random random = new(seed ^ 0x05E4);
        if (random.Next(3) > 0)
        {
            return;
        }

        foreach ((string path, byte[] content) in volumes.Contents.Where(_ => random.Next(3) == 0))
        {
            byte[] mine =
                random.Next(3) == 0 ? [.. content] : new byte[random.Next(3) == 0 ? random.Next(9000) : content.Length];
            for (int at = 0; at + 1024 <= Math.Min(mine.Length, content.Length); at += 1024)
            {
                if (random.Next(2) == 0)
                {
                    content.AsSpan(at, 1024).CopyTo(mine.AsSpan(at));
                }
            }

            Users[path] = mine;
        }

        Users["/data/mine"] = [1, 2, 3];
        foreach ((string path, byte[] content) in Users)
        {
            Directory.CreateDirectory(System.IO.Path.GetDirectoryName(At(path))!);
            File.WriteAllBytes(At(path), content);
        }
    }

    public string Path { get; }

    /// <summary>The user's files: path as in the backup, content.</summary>
    public SortedDictionary<string, byte[]> Users { get; } = new(StringComparer.Ordinal);

    /// <summary>The full path of an entry.</summary>
    public string At(string path) => System.IO.Path.Join(Path, path);

    /// <summary>All files that are there now, with paths as in the backup.</summary>
    public IEnumerable<(string Path, byte[] Content)> Files() =>
        new DirectoryInfo(Path)
            .EnumerateFiles("*", SearchOption.AllDirectories)
            .Where(file => file.LinkTarget is null)
            .OrderBy(file => file.FullName, StringComparer.Ordinal)
            .Select(file => (file.FullName[Path.Length..].Replace('\\', '/'), File.ReadAllBytes(file.FullName)));

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
