using Microsoft.Win32.SafeHandles;
using Restore.Format;
using Restore.Memory;
using Restore.Threads;
using Restore.Writing.Messages;

namespace Restore.Writing;

/// <summary>The folder that receives the volumes.</summary>
internal sealed class DestinationFolder
{
    private readonly OwnThreads threads = new();
    private readonly string path;

    /// <exception cref="RestoreException">The folder cannot be created.</exception>
    public DestinationFolder(string path)
    {
        this.path = path;
        try
        {
            Directory.CreateDirectory(path);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw NotWritable(path, failure);
        }
    }

    /// <summary>Bytes written so far.</summary>
    public long BytesWritten { get; private set; }

    /// <summary>The existing volumes of a backup, and their sizes.</summary>
    public Dictionary<string, (VolumeName Name, long SizeBytes)> List(string prefix)
    {
        Dictionary<string, (VolumeName, long)> volumes = new(StringComparer.Ordinal);
        foreach (FileInfo file in new DirectoryInfo(path).EnumerateFiles())
        {
            if (VolumeName.TryParse(file.Name, out VolumeName name) && name.Prefix == prefix)
            {
                volumes.Add(file.Name, (name, file.Length));
            }
        }

        return volumes;
    }

    /// <summary>Reads a whole volume.</summary>
    /// <exception cref="IOException">The volume cannot be read.</exception>
    public Task<PooledBuffer> ReadAsync(string name, BufferPool pool, CancellationToken cancellationToken) =>
        threads.RunAsync(() => Read(name, pool, cancellationToken));

    /// <summary>Writes a volume. Until it is complete, its name is not that of a volume.</summary>
    /// <exception cref="RestoreException">The volume cannot be written; nothing of it is left.</exception>
    public Task WriteAsync(NamedVolume volume) => threads.RunAsync(() => Write(volume));

    private PooledBuffer Read(string name, BufferPool pool, CancellationToken cancellationToken)
    {
        using SafeFileHandle file = File.OpenHandle(Path.Combine(path, name));
        PooledBuffer content = pool.Rent((int)Math.Min(RandomAccess.GetLength(file), Array.MaxLength));
        try
        {
            int read = 0;
            int last = -1;
            while (read < content.Length && last != 0)
            {
                cancellationToken.ThrowIfCancellationRequested();
                last = RandomAccess.Read(file, content.Span[read..], read);
                read += last;
            }

            content.Truncate(read);
            return content;
        }
        catch
        {
            content.Dispose();
            throw;
        }
    }

    private void Write(NamedVolume volume)
    {
        string partial = Path.Combine(path, $".incomplete_{Guid.NewGuid():N}");
        try
        {
            using (SafeFileHandle file = File.OpenHandle(partial, FileMode.CreateNew, FileAccess.Write, FileShare.None))
            {
                RandomAccess.Write(file, volume.Content.Span, 0);
            }

            File.Move(partial, Path.Combine(path, volume.Name), overwrite: false);
            BytesWritten += volume.Content.Length;
        }
        catch (Exception failure)
        {
            Remove(partial);
            if (failure is IOException or UnauthorizedAccessException)
            {
                throw NotWritable(Path.Combine(path, volume.Name), failure);
            }

            throw;
        }
    }

    private static void Remove(string partial)
    {
        try
        {
            File.Delete(partial);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            // The original failure is the one to report, and the name says what the file is.
        }
    }

    private static RestoreException NotWritable(string where, Exception failure) => new(
        RestoreErrorCode.DestinationNotWritable, $"The backup cannot be written: {failure.Reason()}", where, failure);
}
