namespace Restore.Storage.Local;

/// <summary>
/// A folder of this machine, or one mounted on it, as a sink: a volume gets its name when the
/// device has all of it, and the name is flushed too.
/// </summary>
internal sealed class LocalFolderSink : IVolumeSink, ILockableSink
{
    // A cancellation need not wait until a slow disk has a whole volume.
    private const int PieceBytes = 4 * 1024 * 1024;

    private readonly OwnThreads threads = new();
    private readonly string folder;
    private readonly FolderIdentity identity;
    private readonly HeldFiles held = new();

    /// <summary>Opens nothing yet: the first volume makes a missing folder.</summary>
    public LocalFolderSink(string path)
    {
        folder = Path.GetFullPath(path);
        identity = new FolderIdentity(folder);
    }

    public string DisplayName => folder;

    public bool IsLocal => true;

    public async IAsyncEnumerable<StoredFile> ListAsync(
        [EnumeratorCancellation] CancellationToken cancellationToken = default
    )
    {
        if (!await threads.RunAsync(identity.IsThere).ConfigureAwait(false))
        {
            yield break;
        }

        var store = new LocalFolderStore(folder);
        await using (store.ConfigureAwait(false))
        {
            await foreach (StoredFile file in store.ListAsync(cancellationToken).ConfigureAwait(false))
            {
                yield return file;
            }
        }
    }

    public async ValueTask PutAsync(
        string name,
        ReadOnlyMemory<byte> content,
        CancellationToken cancellationToken = default
    ) => await threads.RunAsync(() => Put(name, content, cancellationToken)).ConfigureAwait(false);

    public async ValueTask DeleteAsync(string name, CancellationToken cancellationToken = default) =>
        await threads
            .RunAsync(() =>
            {
                cancellationToken.ThrowIfCancellationRequested();
                if (identity.IsThere())
                {
                    held.Retry(() => File.Delete(Path.Combine(folder, name)));
                }
            })
            .ConfigureAwait(false);

    public FolderLock? ShareLock() => FolderLock.Share(folder);

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private void Put(string name, ReadOnlyMemory<byte> content, CancellationToken cancellationToken)
    {
        // A folder that existed before is not created again: it may have been on a disk that was
        // removed, and the new folder would be on another disk.
        if (!identity.IsThere())
        {
            if (Windows.IsRootMissing(folder))
            {
                throw new DirectoryNotFoundException(Windows.NoRoot);
            }

            PrivateFolder.WithParents(folder);
            identity.IsThere();
        }

        using AtomicFile file = new(Path.Combine(folder, name), AtomicFileOptions.Private, PartialName.Of(name));
        for (int offset = 0; offset < content.Length; offset += PieceBytes)
        {
            cancellationToken.ThrowIfCancellationRequested();
            file.Stream.Write(content.Span.Slice(offset, Math.Min(PieceBytes, content.Length - offset)));
        }

        // The flush shows the errors of writes that the system has postponed. Only a file that is
        // whole on the device gets its name.
        RequireSize(name, file.Flush(), content.Length);
        cancellationToken.ThrowIfCancellationRequested();
        file.Commit();
        RequireSameFolder(name);
        identity.Note(name);
    }

    /// <summary>
    /// Detects a disk that was unmounted meanwhile: the file is then in the folder under the mount
    /// point.
    /// </summary>
    private void RequireSameFolder(string name)
    {
        try
        {
            identity.IsThere();
        }
        catch (DirectoryNotFoundException)
        {
            held.Retry(() => File.Delete(Path.Combine(folder, name)));
            throw;
        }
    }

    private static void RequireSize(string name, long actual, long expected)
    {
        if (actual != expected)
        {
            throw new IOException($"{name} has {actual} bytes after {expected} were written");
        }
    }
}
