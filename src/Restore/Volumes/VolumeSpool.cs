using Restore.Volumes.Parity;

namespace Restore.Volumes;

/// <summary>
/// Copies volumes that cannot be in memory from a store without ranges into a temporary folder of
/// this machine, and reads them there. At most two are kept: a volume is read part by part, and
/// then the next one. Safe for concurrent use.
/// </summary>
/// <param name="store">Reads the volumes; copies are put into it.</param>
/// <param name="parentFolder">Where the temporary folder is created; null for the one of the
/// system.</param>
internal sealed class VolumeSpool(MendedStore store, string? parentFolder, BufferPool pool) : IDisposable
{
    private const int MostKept = 2;

    // A store without ranges sends all bytes before a piece again, so pieces are long.
    private const long MostPieceBytes = 512 << 20;
    private const long LeastPieceBytes = 32 << 20;

    private readonly SemaphoreSlim turn = new(1);
    private readonly Queue<(string Name, string Path)> kept = [];
    private string? folder;

    /// <summary>Sees to it that parts of a volume can be read.</summary>
    /// <exception cref="IOException">The volume cannot be read, or there is no room for
    /// it.</exception>
    public ValueTask EnsureAsync(Volume volume, CancellationToken cancellationToken) =>
        store.HasRanges || VolumeLoader.FitsWhole(volume.SizeBytes)
            ? ValueTask.CompletedTask
            : CopyAsync(volume, cancellationToken);

    /// <summary>Copies a volume, unless that was done.</summary>
    public async ValueTask CopyAsync(Volume volume, CancellationToken cancellationToken)
    {
        await turn.WaitAsync(cancellationToken).ConfigureAwait(false);
        try
        {
            if (store.IsReplaced(volume.FileName))
            {
                return;
            }

            folder ??= PrivateFolder.Create("restore-volume-", parentFolder).FullName;
            string path = Path.Join(folder, $"{Guid.NewGuid():N}");
            try
            {
                await FillAsync(volume, path, cancellationToken).ConfigureAwait(false);
            }
            catch
            {
                File.Delete(path);
                throw;
            }

            store.Replace(volume.FileName, path);
            kept.Enqueue((volume.FileName, path));
            if (kept.Count > MostKept)
            {
                (string name, string old) = kept.Dequeue();
                store.ReadOriginal(name);
                File.Delete(old);
            }
        }
        finally
        {
            turn.Release();
        }
    }

    public void Dispose()
    {
        turn.Dispose();
        try
        {
            if (folder is not null)
            {
                Directory.Delete(folder, recursive: true);
            }
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            // Left behind: the system clears its temporary folder.
        }
    }

    private async ValueTask FillAsync(Volume volume, string path, CancellationToken cancellationToken)
    {
        long memory = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / 8;
        using PooledBuffer piece = pool.Rent(
            (int)Math.Min(volume.SizeBytes, Math.Clamp(memory, LeastPieceBytes, MostPieceBytes))
        );
        FileStream file = new(
            path,
            FileMode.CreateNew,
            FileAccess.Write,
            FileShare.Read,
            bufferSize: 0,
            useAsync: true
        );
        await using (file.ConfigureAwait(false))
        {
            for (long at = 0; at < volume.SizeBytes; at += piece.Length)
            {
                Memory<byte> part = piece.Memory[..(int)Math.Min(piece.Length, volume.SizeBytes - at)];
                int read = await store.ReadAsync(volume.FileName, at, part, cancellationToken).ConfigureAwait(false);
                await file.WriteAsync(part[..read], cancellationToken).ConfigureAwait(false);
                if (read < part.Length)
                {
                    // What reads it says where it ends.
                    return;
                }
            }
        }
    }
}
