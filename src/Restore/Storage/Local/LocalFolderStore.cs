using System.Runtime.CompilerServices;
using Microsoft.Win32.SafeHandles;

namespace Restore.Storage.Local;

/// <summary>A folder of this machine, or one mounted on it, as a store.</summary>
internal sealed class LocalFolderStore : IVolumeStore
{
    /// <summary>Reads are cut into pieces of this size, so that a cancellation need not wait for a whole volume from a slow disk.</summary>
    private const int PieceBytes = 4 * 1024 * 1024;

    private static readonly EnumerationOptions EveryEntry = new() { AttributesToSkip = FileAttributes.None, IgnoreInaccessible = false };

    private readonly string folder;

    /// <summary>Opens nothing yet: listing reports a missing folder.</summary>
    public LocalFolderStore(string path)
    {
        folder = Path.GetFullPath(path);
    }

    public string DisplayName => folder;

    public bool HasRanges => true;

    public bool IsLocal => true;

    public async IAsyncEnumerable<StoredFile> ListAsync([EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        // Listing blocks, perhaps for long on a network share: not on the caller's thread.
        await Task.CompletedTask.ConfigureAwait(ConfigureAwaitOptions.ForceYielding);
        using IEnumerator<FileInfo> files = Guarded(() => new DirectoryInfo(folder).EnumerateFiles("*", EveryEntry).GetEnumerator());
        while (Guarded(files.MoveNext))
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (ListedSizeOf(files.Current) is long sizeBytes)
            {
                yield return new StoredFile(files.Current.Name, sizeBytes);
            }
        }
    }

    public async ValueTask<int> ReadAsync(string name, long offset, Memory<byte> destination, CancellationToken cancellationToken = default)
    {
        var file = new FileInfo(PathOf(name));
        try
        {
            long sizeBytes = SizeOf(file);
            if (sizeBytes == 0)
            {
                // Pipes, sockets and devices have size 0 too, and opening a pipe would wait for its writer.
                return 0;
            }

            using SafeFileHandle handle =
                File.OpenHandle(file.FullName, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, FileOptions.Asynchronous);
            return await FillAsync(handle, offset, destination, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException)
        {
            throw LocalFailures.Missing(name, folder, e);
        }
        catch (Exception e) when (e is UnauthorizedAccessException or NotSupportedException)
        {
            throw new IOException($"{name} in {folder} cannot be read: {e.Reason()}", e);
        }
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private static async ValueTask<int> FillAsync(
        SafeFileHandle handle, long offset, Memory<byte> destination, CancellationToken cancellationToken)
    {
        int filled = 0;
        while (filled < destination.Length)
        {
            cancellationToken.ThrowIfCancellationRequested();
            Memory<byte> piece = destination.Slice(filled, Math.Min(PieceBytes, destination.Length - filled));
            int count = await RandomAccess.ReadAsync(handle, piece, offset + filled, cancellationToken).ConfigureAwait(false);
            if (count == 0)
            {
                break;
            }

            filled += count;
        }

        return filled;
    }

    /// <summary>The size of a file, or of what a link leads to.</summary>
    private static long SizeOf(FileInfo file)
    {
        FileSystemInfo? target = file.Attributes.HasFlag(FileAttributes.ReparsePoint) ? file.ResolveLinkTarget(returnFinalTarget: true) : null;
        return target is FileInfo found ? found.Length : file.Length;
    }

    /// <summary>The size for a listing; null if the file vanished since, or is a link that leads to no file.</summary>
    private static long? ListedSizeOf(FileInfo file)
    {
        try
        {
            return SizeOf(file);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return null;
        }
    }

    /// <summary>The path of a file in the folder. Names can come from a backup, so a name with separators counts as a missing file.</summary>
    private string PathOf(string name)
    {
        bool isName = name is not ("" or "." or "..") && name.AsSpan().IndexOfAny("/\\:\0") < 0;
        return isName ? Path.Combine(folder, name) : throw LocalFailures.Missing(name, folder);
    }

    private T Guarded<T>(Func<T> listing)
    {
        try
        {
            return listing();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or System.Security.SecurityException)
        {
            throw LocalFailures.OfListing(e, folder);
        }
    }
}
