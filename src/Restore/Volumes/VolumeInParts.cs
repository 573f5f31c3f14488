namespace Restore.Volumes;

/// <summary>
/// Looks through a zip volume that cannot be in memory, from its start to its end.
/// </summary>
internal static class VolumeInParts
{
    // What is hashed and authenticated, and nothing else.
    private const int StepBytes = 4 << 20;

    // Entries of one part; a longer one is a part of its own.
    private const int RunBytes = 1 << 20;

    /// <summary>Hashes a volume and verifies its authentication code.</summary>
    /// <returns>The hash of the volume as the store has it.</returns>
    /// <exception cref="InvalidDataException">The volume is not authentic, ends early, or has no
    /// directory.</exception>
    public static async Task<byte[]> VerifyAsync(
        VolumeLoader loader,
        Volume volume,
        RangePolicy ranges,
        HashKind kind,
        CancellationToken cancellationToken
    )
    {
        using SparseVolume source = await SparseVolume
            .OpenAsync(loader, volume, ranges, cancellationToken)
            .ConfigureAwait(false);
        using AesCryptAuthenticator? authenticator = source.CreateAuthenticator();
        using IncrementalHash hash = IncrementalHash.CreateHash(kind.AlgorithmName());
        using PooledBuffer step = loader.Pool.Rent(StepBytes);
        for (long at = 0; at < volume.SizeBytes; at += StepBytes)
        {
            Memory<byte> part = step.Memory[..(int)Math.Min(StepBytes, volume.SizeBytes - at)];
            int read = await loader.Store.ReadAsync(volume.FileName, at, part, cancellationToken).ConfigureAwait(false);
            if (read < part.Length)
            {
                throw new InvalidDataException($"The volume ended after {at + read:N0} of {volume.SizeBytes:N0} bytes");
            }

            hash.AppendData(part.Span);
            Append(authenticator, at, part.Span);
        }

        string? defect = authenticator is null
            ? null
            : await source.VerifyAsync(authenticator, cancellationToken).ConfigureAwait(false);
        return defect is null ? hash.GetHashAndReset() : throw new InvalidDataException(defect);
    }

    /// <summary>
    /// Passes the entries of a volume on, in the order of the volume, some at a time; each archive
    /// is valid during the call.
    /// </summary>
    /// <returns>False if the receiver wanted no more.</returns>
    public static async Task<bool> PassAsync(
        VolumeLoader loader,
        Volume volume,
        RangePolicy ranges,
        Func<Archive, bool> receive,
        CancellationToken cancellationToken
    )
    {
        using SparseVolume source = await SparseVolume
            .OpenAsync(loader, volume, ranges, cancellationToken)
            .ConfigureAwait(false);
        foreach (EntryRun run in source.Runs(RunBytes))
        {
            using VolumeChunk part = await source
                .ReadAsync(run, authenticator: null, cancellationToken)
                .ConfigureAwait(false);
            using Archive archive = part.OpenArchive(loader.Codecs);
            if (!receive(archive))
            {
                return false;
            }
        }

        return true;
    }

    private static void Append(AesCryptAuthenticator? authenticator, long at, ReadOnlySpan<byte> bytes)
    {
        if (authenticator is null)
        {
            return;
        }

        long from = Math.Max(at, authenticator.Position);
        long to = Math.Min(at + bytes.Length, authenticator.EndPosition);
        if (from < to)
        {
            authenticator.Append(from, bytes[(int)(from - at)..(int)(to - at)]);
        }
    }
}
