using Microsoft.Win32.SafeHandles;

namespace Restore.Storage;

/// <summary>
/// The cached files of one store in a folder of this machine, each followed by its hash. Any
/// failure disables the cache for the rest of the restore. Safe for concurrent use.
/// </summary>
internal sealed class CacheFolder(string cacheFolder, string storeName)
{
    private const int PieceBytes = 128 * 1024;

    private readonly string folder = Path.Combine(cacheFolder, HashOf(storeName)[..32]);
    private readonly ConcurrentDictionary<string, bool> intact = new(StringComparer.Ordinal);
    private readonly OwnThreads threads = new();
    private string? problem;
    private int isTidy;

    public string? Problem => Volatile.Read(ref problem);

    /// <summary>
    /// Reads a cached file; null if the file is not cached or does not have the size that the store
    /// lists.
    /// </summary>
    public async ValueTask<int?> ReadAsync(
        string name,
        long sizeBytes,
        long offset,
        Memory<byte> destination,
        CancellationToken cancellationToken
    ) =>
        await threads
            .RunAsync(() => Read(name, sizeBytes, offset, destination.Span, cancellationToken))
            .ConfigureAwait(false);

    /// <summary>
    /// Writes a temporary file and then moves it into place, so that no other process reads half of
    /// it.
    /// </summary>
    public async ValueTask KeepAsync(string name, ReadOnlyMemory<byte> content) =>
        await threads.RunAsync(() => Keep(name, content.Span)).ConfigureAwait(false);

    private int? Read(
        string name,
        long sizeBytes,
        long offset,
        Span<byte> destination,
        CancellationToken cancellationToken
    )
    {
        string path = PathOf(name);
        try
        {
            SpecialFile.RefuseAt(path);
            using SafeFileHandle file = File.OpenHandle(
                path,
                FileMode.Open,
                FileAccess.Read,
                FileShare.Read | FileShare.Delete
            );
            if (
                RandomAccess.GetLength(file) != sizeBytes + SHA256.HashSizeInBytes
                || !IsIntact(file, path, sizeBytes, cancellationToken)
            )
            {
                return null;
            }

            int wanted = (int)Math.Clamp(sizeBytes - offset, 0, destination.Length);
            int count = file.ReadFully(offset, destination[..wanted]);
            return count == wanted ? count : null;
        }
        catch (Exception failure) when (failure is FileNotFoundException or DirectoryNotFoundException)
        {
            return null;
        }
        catch (Exception failure) when (IsUnusable(failure))
        {
            Disable(failure);
            return null;
        }
    }

    private void Keep(string name, ReadOnlySpan<byte> content)
    {
        try
        {
            // Lists of unencrypted backups are cached unencrypted, and other users must not read
            // the names of files.
            PrivateFolder.At(folder);
            if (Interlocked.Exchange(ref isTidy, 1) == 0)
            {
                // Once: the cache of a large backup has many files.
                AbandonedFiles.Remove(folder);
            }

            using AtomicFile file = new(
                PathOf(name),
                AtomicFileOptions.Replaces | AtomicFileOptions.Private | AtomicFileOptions.Unflushed
            );
            file.Stream.Write(content);
            file.Stream.Write(SHA256.HashData(content));
            file.Commit();
        }
        catch (Exception failure) when (IsUnusable(failure))
        {
            Disable(failure);
        }
    }

    /// <summary>
    /// Whether the content is what was cached. A hash at the end costs less than a flush to disk
    /// that would rule out zeros after a crash.
    /// </summary>
    private bool IsIntact(SafeFileHandle file, string path, long sizeBytes, CancellationToken cancellationToken)
    {
        if (intact.ContainsKey(path))
        {
            return true;
        }

        byte[] piece = ArrayPool<byte>.Shared.Rent(PieceBytes);
        try
        {
            using var hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
            for (long offset = 0; offset < sizeBytes; )
            {
                int wanted = (int)Math.Min(PieceBytes, sizeBytes - offset);
                cancellationToken.ThrowIfCancellationRequested();
                int count = file.ReadFully(offset, piece.AsSpan(0, wanted));
                if (count < wanted)
                {
                    return false;
                }

                hash.AppendData(piece.AsSpan(0, count));
                offset += count;
            }

            // Once for each file and run: a second read trusts the first check, because a file is
            // only ever replaced as a whole.
            int hashBytes = file.ReadFully(sizeBytes, piece.AsSpan(0, SHA256.HashSizeInBytes));
            return hash.GetHashAndReset().AsSpan().SequenceEqual(piece.AsSpan(0, hashBytes)) && (intact[path] = true);
        }
        finally
        {
            ArrayPool<byte>.Shared.Return(piece);
        }
    }

    private string PathOf(string name) => Path.Combine(folder, HashOf(name));

    private void Disable(Exception failure) =>
        Interlocked.CompareExchange(ref problem, $"The cache cannot be used and is disabled: {failure.Reason()}", null);

    private static bool IsUnusable(Exception failure) =>
        failure
            is IOException
                or UnauthorizedAccessException
                or NotSupportedException
                or ArgumentException
                or System.Security.SecurityException;

    /// <summary>
    /// Files are named by a hash: names come from the store and may contain anything.
    /// </summary>
    private static string HashOf(string name) =>
        Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(name)));
}
