using Microsoft.Win32.SafeHandles;

namespace Restore.Storage.Local;

/// <summary>
/// A folder of this machine, or one mounted on it, as a store. Its calls block: for a long time on
/// a network share, and without end if the server of the share is gone. So they run on their own
/// threads and have a time limit.
/// </summary>
internal sealed class LocalFolderStore : IVolumeStore, IOpenFiles
{
    // Reads are cut into pieces of this size, so that a cancellation need not wait for a whole
    // volume from a slow disk. It fits into the cache of a core.
    private const int PieceBytes = 256 << 10;

    // A listing returns this many files for each call to another thread.
    private const int ListedAtOnce = 1024;

    private static readonly EnumerationOptions EveryEntry = new()
    {
        AttributesToSkip = FileAttributes.None,
        IgnoreInaccessible = false,
    };

    private readonly LocalCalls calls;
    private readonly OpenFiles kept;
    private readonly StoreTransfers? transfers;
    private readonly string folder;
    private readonly FolderCheck check;

    /// <summary>Opens nothing yet: listing reports a missing folder.</summary>
    public LocalFolderStore(string path, StoreTransfers? transfers = null, TimeProvider? time = null)
    {
        calls = new LocalCalls(transfers?.ProgressTimeout ?? Timeout.InfiniteTimeSpan, time ?? TimeProvider.System);
        kept = new OpenFiles(calls);
        this.transfers = transfers;
        folder = Path.GetFullPath(path);
        check = new FolderCheck(folder);
    }

    public string DisplayName => folder;

    public bool HasRanges => true;

    public bool IsLocal => true;

    public async IAsyncEnumerable<StoredFile> ListAsync(
        [EnumeratorCancellation] CancellationToken cancellationToken = default
    )
    {
        IEnumerator<FileSystemInfo> files = await ListingAsync(_ =>
                Guarded(() => new DirectoryInfo(folder).EnumerateFileSystemInfos("*", EveryEntry).GetEnumerator())
            )
            .ConfigureAwait(false);
        bool isStopped = false;
        try
        {
            while (
                await ListingAsync(call => Next(files, call, cancellationToken)).ConfigureAwait(false)
                    is { Count: > 0 } found
            )
            {
                isStopped = true;
                foreach (StoredFile file in found)
                {
                    yield return file;
                }

                isStopped = false;
            }
        }
        finally
        {
            if (isStopped)
            {
                // The listing was stopped, so nothing waits until it is closed.
                _ = calls.CloseAsync(files);
            }
        }
    }

    public IDisposable KeepOpen(string name) => kept.Keep(name);

    public ValueTask<int> ReadAsync(
        string name,
        long offset,
        Memory<byte> destination,
        CancellationToken cancellationToken = default
    )
    {
        Action<int>? arriving = transfers?.Arriving();

        // A file that stays open is first read from the memory of the system, on this thread. The
        // other thread and its time limit are for what is not there.
        if (kept.Find(name) is not { Handle: not null } file || cancellationToken.IsCancellationRequested)
        {
            return WaitAsync(name, offset, destination, arriving, cancellationToken);
        }

        int read = file.ReadAtOnce(offset, destination.Span);
        arriving?.Invoke(read);
        return read == destination.Length
            ? ValueTask.FromResult(read)
            : AddAsync(read, WaitAsync(name, offset + read, destination[read..], arriving, cancellationToken));
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private static async ValueTask<int> AddAsync(int read, ValueTask<int> rest) =>
        read + await rest.ConfigureAwait(false);

    /// <summary>
    /// If a read hangs, the file is lost if other files can be read (a disk that retries for a long
    /// time); otherwise the store is lost.
    /// </summary>
    private async ValueTask<int> WaitAsync(
        string name,
        long offset,
        Memory<byte> destination,
        Action<int>? arriving,
        CancellationToken cancellationToken
    )
    {
        try
        {
            return await calls
                .RunAsync(call => Read(name, offset, destination, new LocalRead(call, arriving), cancellationToken))
                .ConfigureAwait(false);
        }
        catch (TimeoutException failure)
        {
            // The call that is left behind may still write into this memory, so the pool must not
            // give it to others.
            PooledBuffer.OwnerOf(destination)?.Lose();
            throw await CanReadOtherThanAsync(name).ConfigureAwait(false)
                ? new IOException($"{name} in {folder} cannot be read: {failure.Reason()}", failure)
                : LocalFailures.Silent(folder, failure);
        }
    }

    private async Task<T> ListingAsync<T>(Func<LocalCall, T> work)
    {
        try
        {
            return await calls.RunAsync(work).ConfigureAwait(false);
        }
        catch (TimeoutException failure)
        {
            throw LocalFailures.Silent(folder, failure);
        }
    }

    /// <summary>
    /// Whether the folder has another file that can be read. Each gets the whole time: the one that
    /// hangs may not be the only one.
    /// </summary>
    private async Task<bool> CanReadOtherThanAsync(string file)
    {
        List<Task<bool>> looks = [.. check.Sample().Where(name => name != file).Select(CanReadAsync)];
        while (looks.Count > 0)
        {
            Task<bool> look = await Task.WhenAny(looks).ConfigureAwait(false);
            looks.Remove(look);
            if (await look.ConfigureAwait(false))
            {
                return true;
            }
        }

        return false;
    }

    private async Task<bool> CanReadAsync(string name)
    {
        try
        {
            return await calls.RunAsync(_ => check.CanRead(name)).ConfigureAwait(false);
        }
        catch (TimeoutException)
        {
            return false;
        }
    }

    /// <summary>
    /// The next files; empty at the end. A failure closes the listing on this thread, because
    /// closing it elsewhere would wait for a call that hangs.
    /// </summary>
    private List<StoredFile> Next(
        IEnumerator<FileSystemInfo> files,
        LocalCall call,
        CancellationToken cancellationToken
    )
    {
        List<StoredFile> found = [];
        try
        {
            while (found.Count < ListedAtOnce && Guarded(files.MoveNext))
            {
                cancellationToken.ThrowIfCancellationRequested();
                if (files.Current is FileInfo file)
                {
                    if (ListedSizeOf(file) is long sizeBytes)
                    {
                        found.Add(new StoredFile(file.Name, sizeBytes));
                        check.Note(file.Name);
                    }
                }
                else if (VolumeTrace.IsLikeVolume(files.Current.Name))
                {
                    // A folder in the place of a volume, as after a conflict of a sync program,
                    // counts like an empty file: nothing says that the volume is gone. As a list
                    // it would be a version, so it gets a name that none has.
                    string name = files.Current.Name;
                    bool isList =
                        VolumeName.TryParse(name, out VolumeName volume) && volume.Kind == VolumeKind.FileList;
                    found.Add(new StoredFile(isList ? name + "/" : name, 0));
                }

                call.Progress();
            }
        }
        catch
        {
            files.Dispose();
            throw;
        }

        return found;
    }

    private int Read(
        string name,
        long offset,
        Memory<byte> destination,
        LocalRead read,
        CancellationToken cancellationToken
    )
    {
        var file = new FileInfo(PathOf(name));
        KeptFile? keeping = kept.Find(name);
        try
        {
            if (keeping?.Handle is { } open)
            {
                return Fill(open, offset, destination, read, cancellationToken);
            }

            long sizeBytes = SizeOf(file);
            if (sizeBytes == 0)
            {
                // Pipes, sockets and devices have size 0 too, and opening a pipe would wait for its
                // writer.
                return 0;
            }

            SafeFileHandle handle = File.OpenHandle(
                file.FullName,
                FileMode.Open,
                FileAccess.Read,
                FileShare.ReadWrite | FileShare.Delete
            );
            using SafeFileHandle? toClose = keeping?.TryTake(handle) == true ? null : handle;
            return Fill(handle, offset, destination, read, cancellationToken);
        }
        catch (IOException e) when (LocalFailures.IsTooManyOpen(e))
        {
            throw new TransientStoreException($"{name} in {folder} cannot be read: too many files are open", e);
        }
        // Before the missing file: on a disk that was pulled, every file is missing.
        catch (IOException e) when (check.IsGone())
        {
            throw LocalFailures.Gone(folder, e);
        }
        catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException)
        {
            throw LocalFailures.Missing(name, folder, e);
        }
        catch (UnauthorizedAccessException e)
        {
            throw new AccessRefusedException($"Access to {name} in {folder} is denied", e);
        }
        catch (NotSupportedException e)
        {
            throw new IOException($"{name} in {folder} cannot be read: {e.Reason()}", e);
        }
    }

    private static int Fill(
        SafeFileHandle handle,
        long offset,
        Memory<byte> destination,
        LocalRead read,
        CancellationToken cancellationToken
    )
    {
        // The system still writes into the memory of a call that returns after its caller has left.
        // A buffer of the pool is lost then; no other memory is read into.
        bool isOwned = PooledBuffer.OwnerOf(destination) is not null;
        Span<byte> place = destination.Span;
        byte[] between = ArrayPool<byte>.Shared.Rent(isOwned ? 0 : Math.Min(PieceBytes, destination.Length));
        try
        {
            int filled = 0;
            while (filled < destination.Length)
            {
                cancellationToken.ThrowIfCancellationRequested();
                int length = Math.Min(PieceBytes, destination.Length - filled);
                Span<byte> piece = isOwned ? place.Slice(filled, length) : between.AsSpan(0, length);
                int count = handle.ReadAt(piece, offset + filled);
                if (count == 0)
                {
                    break;
                }

                read.Call.Deliver(isOwned ? [] : piece[..count], destination[filled..]);
                read.Arriving?.Invoke(count);
                filled += count;
            }

            return filled;
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(between);
        }
    }

    /// <summary>The size of a file, or of what a link leads to.</summary>
    private static long SizeOf(FileInfo file)
    {
        FileSystemInfo? target = file.Attributes.HasFlag(FileAttributes.ReparsePoint)
            ? file.ResolveLinkTarget(returnFinalTarget: true)
            : null;
        return target is FileInfo found ? found.Length : file.Length;
    }

    /// <summary>
    /// The size for a listing; null if the file vanished since. A link with the name of a volume is
    /// listed as empty if what it leads to is not there, which may only not be mounted.
    /// </summary>
    private static long? ListedSizeOf(FileInfo file)
    {
        try
        {
            return SizeOf(file);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return file.LinkTarget is not null && VolumeTrace.IsLikeVolume(file.Name) ? 0 : null;
        }
    }

    /// <summary>
    /// The path of a file in the folder. Names can come from a backup, so a name with separators
    /// counts as a missing file.
    /// </summary>
    private string PathOf(string name)
    {
        bool isName = name is not ("" or "." or "..") && name.AsSpan().IndexOfAny("/\\:\0") < 0;
        return isName ? Path.Combine(folder, name) : throw LocalFailures.Missing(name, folder);
    }

    private readonly record struct LocalRead(LocalCall Call, Action<int>? Arriving);

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
