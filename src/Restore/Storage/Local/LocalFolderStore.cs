using System.Runtime.CompilerServices;
using Microsoft.Win32.SafeHandles;
using Restore.Threads;

namespace Restore.Storage.Local;

/// <summary>A folder of this machine, or one mounted on it, as a store. Its calls block (on a network share for long), so they run on own threads.</summary>
internal sealed class LocalFolderStore : IVolumeStore
{
    /// <summary>Reads are cut into pieces of this size, so that a cancellation need not wait for a whole volume from a slow disk.</summary>
    private const int PieceBytes = 4 * 1024 * 1024;

    // A listing goes to another thread once for as many files.
    private const int ListedAtOnce = 1024;

    private static readonly EnumerationOptions EveryEntry = new() { AttributesToSkip = FileAttributes.None, IgnoreInaccessible = false };

    private readonly OwnThreads threads = new();
    private readonly string folder;
    private readonly FolderCheck check;

    /// <summary>Opens nothing yet: listing reports a missing folder.</summary>
    public LocalFolderStore(string path)
    {
        folder = Path.GetFullPath(path);
        check = new FolderCheck(folder);
    }

    public string DisplayName => folder;

    public bool HasRanges => true;

    public bool IsLocal => true;

    public async IAsyncEnumerable<StoredFile> ListAsync([EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        using IEnumerator<FileInfo> files = await threads.RunAsync(
            () => Guarded(() => new DirectoryInfo(folder).EnumerateFiles("*", EveryEntry).GetEnumerator())).ConfigureAwait(false);
        while (await threads.RunAsync(() => Next(files, cancellationToken)).ConfigureAwait(false) is { Count: > 0 } found)
        {
            foreach (StoredFile file in found)
            {
                yield return file;
            }
        }
    }

    public async ValueTask<int> ReadAsync(string name, long offset, Memory<byte> destination, CancellationToken cancellationToken = default) =>
        await threads.RunAsync(() => Read(name, offset, destination, cancellationToken)).ConfigureAwait(false);

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private List<StoredFile> Next(IEnumerator<FileInfo> files, CancellationToken cancellationToken)
    {
        List<StoredFile> found = [];
        while (found.Count < ListedAtOnce && Guarded(files.MoveNext))
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (ListedSizeOf(files.Current) is long sizeBytes)
            {
                found.Add(new StoredFile(files.Current.Name, sizeBytes));
                check.Note(files.Current.Name);
            }
        }

        return found;
    }

    private int Read(string name, long offset, Memory<byte> destination, CancellationToken cancellationToken)
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

            using SafeFileHandle handle = File.OpenHandle(file.FullName, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            return Fill(handle, offset, destination.Span, cancellationToken);
        }
        catch (IOException e) when (LocalFailures.IsTooManyOpen(e))
        {
            throw new TransientStoreException($"{name} in {folder} cannot be read: too many files are open", e);
        }
        catch (IOException e) when (check.IsGone())
        {
            throw LocalFailures.Gone(folder, e);
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

    private static int Fill(SafeFileHandle handle, long offset, Span<byte> destination, CancellationToken cancellationToken)
    {
        int filled = 0;
        while (filled < destination.Length)
        {
            cancellationToken.ThrowIfCancellationRequested();
            Span<byte> piece = destination.Slice(filled, Math.Min(PieceBytes, destination.Length - filled));
            int count = RandomAccess.Read(handle, piece, offset + filled);
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
