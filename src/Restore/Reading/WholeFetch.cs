namespace Restore.Reading;

/// <summary>Fetches whole volumes; a large one from a remote store in concurrent pieces.</summary>
internal sealed class WholeFetch(VolumeLoader loader, RangePolicy ranges, Transfers transfers, bool usesSpool)
{
    private readonly OwnThreads threads = new();

    /// <summary>Fetches a volume, as far as the store has it.</summary>
    /// <exception cref="IOException">The store cannot read the volume, or it is too large for
    /// memory.</exception>
    /// <exception cref="InvalidDataException">The volume is empty.</exception>
    public async ValueTask<FetchedVolume> FetchAsync(Volume volume, CancellationToken cancellationToken)
    {
        VolumeLoader.RequireSize(volume);
        IReadOnlyList<ReadRange> pieces = ranges.PiecesOf(volume, loader.Store.HasRanges);
        PooledBuffer buffer =
            pieces.Count == 1
                ? await transfers
                    .RunAsync(token => loader.FetchAsync(volume, token), fetched => fetched.Length, cancellationToken)
                    .ConfigureAwait(false)
                : await new PieceFetch(loader, volume, transfers)
                    .FetchAsync(pieces, cancellationToken)
                    .ConfigureAwait(false);
        try
        {
            if (usesSpool)
            {
                await threads.RunAsync(() => PassThroughFile(buffer.OwnedMemory)).ConfigureAwait(false);
            }

            return new FetchedVolume(loader, volume, buffer);
        }
        catch
        {
            buffer.Dispose();
            throw;
        }
    }

    private static void PassThroughFile(Memory<byte> buffer)
    {
        string path = Path.Combine(Path.GetTempPath(), $"restore-{Guid.NewGuid():N}");
        using FileStream file = new(
            path,
            FileMode.CreateNew,
            FileAccess.ReadWrite,
            FileShare.None,
            bufferSize: 0,
            FileOptions.DeleteOnClose
        );
        if (!OperatingSystem.IsWindows())
        {
            // An open file needs no name there, and one without a name is not left over by a killed
            // run.
            File.Delete(path);
        }

        file.Write(buffer.Span);
        file.Position = 0;
        file.ReadExactly(buffer.Span);
    }
}
