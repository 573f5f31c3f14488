namespace Restore.Storage.Local;

/// <summary>
/// Distinguishes a folder that is gone (a disk that was pulled, a share that was unmounted) from
/// one file that is missing or damaged. Safe for concurrent use.
/// </summary>
internal sealed class FolderCheck(string folder)
{
    // Of a folder that is there, one of the listed files can be read, however many are damaged.
    private const int Samples = 16;

    private readonly Lock gate = new();
    private readonly List<string> names = [];
    private long listed;

    /// <summary>Takes note of a file that the folder has. A sample of all files is kept.</summary>
    public void Note(string name)
    {
        lock (gate)
        {
            listed++;
            if (names.Count < Samples)
            {
                names.Add(name);
            }
            // Every count that is a power of two takes a place of the first ones, so the sample
            // also has late names, and needs no random numbers.
            else if ((listed & (listed - 1)) == 0)
            {
                names[(int)(long.Log2(listed) % Samples)] = name;
            }
        }
    }

    /// <summary>
    /// Whether the folder is gone: it does not exist, or none of its files can be read.
    /// </summary>
    public bool IsGone()
    {
        string[] sample = Sample();
        return !Directory.Exists(folder) || (sample.Length > 0 && !sample.Any(CanRead));
    }

    public string[] Sample()
    {
        lock (gate)
        {
            return [.. names];
        }
    }

    public bool CanRead(string name)
    {
        try
        {
            var file = new FileInfo(Path.Combine(folder, name));
            if (file.Length == 0)
            {
                return true;
            }

            // In the middle: the start and the end of a file are likely to be in memory.
            using var handle = File.OpenHandle(
                file.FullName,
                FileMode.Open,
                FileAccess.Read,
                FileShare.ReadWrite | FileShare.Delete
            );
            return handle.ReadAt(stackalloc byte[1], file.Length / 2) == 1;
        }
        catch (UnauthorizedAccessException)
        {
            // It is there.
            return true;
        }
        catch (IOException failure)
        {
            return LocalFailures.IsTooManyOpen(failure);
        }
    }
}
