using Restore.Format;
using Restore.Storage;

namespace Restore.Catalog;

/// <summary>The cost model of reading parts of volumes: a request is worth as many bytes as the link brings in the time that it takes.</summary>
/// <param name="Mode">Whether parts are read at all.</param>
/// <param name="RequestCostBytes">What a request costs, in bytes.</param>
internal sealed record RangePolicy(RangeReads Mode, long RequestCostBytes)
{
    /// <summary>50 ms at 5 MB/s, or 2.5 ms at 100 MB/s: between a home line and a data centre.</summary>
    public const long RemoteRequestBytes = 256 << 10;

    /// <summary>A local file has to be opened and sought too, but that is system calls, not a round trip.</summary>
    public const long LocalRequestBytes = 16 << 10;

    private const long MaxRequestBytes = 1L << 40;

    /// <summary>
    /// How much of the end of a volume is read to find the archive's directory: a request's worth, within reason.
    /// 64 KiB have the directory of some 600 blocks, which is a volume of Duplicati's default size.
    /// </summary>
    public int TailBytes => (int)Math.Clamp(RequestCostBytes, 4 << 10, 64 << 10);

    /// <summary>The policy for a store.</summary>
    /// <exception cref="RestoreException">The request cost cannot be used.</exception>
    public static RangePolicy Resolve(RestoreOptions options, IVolumeStore store)
    {
        long cost = options.RequestCostBytes ?? (store.IsLocal ? LocalRequestBytes : RemoteRequestBytes);
        return cost is < 0 or > MaxRequestBytes
            ? throw new RestoreException(
                RestoreErrorKind.Usage, $"The option --request-cost cannot be {cost}", advice: $"Give a value from 0 to {MaxRequestBytes}")
            : new RangePolicy(options.Legacy ? RangeReads.Never : options.RangeReads, cost);
    }

    /// <summary>Whether it is worth asking for a volume's directory, before anything of the volume is known but its size.</summary>
    /// <param name="volume">The volume.</param>
    /// <param name="wantedBytes">Length of the wanted blocks, decoded; 0 when only the directory is wanted.</param>
    /// <param name="store">Where it is.</param>
    public bool IsWorthTrying(Volume volume, long wantedBytes, IVolumeStore store)
    {
        if (Mode == RangeReads.Never || !store.HasRanges || volume.SizeBytes <= 0 || !HasRandomAccess(volume.Name))
        {
            return false;
        }

        // A restore of most of a volume never pays for a look at its directory. Neighbours are the rule, so the blocks are taken to be one run.
        int requests = PartRequests(volume, wantedBytes);
        return Mode == RangeReads.Always
            || (wantedBytes < volume.SizeBytes / 2 && IsCheaper(volume.SizeBytes, OverheadBytes(volume) + wantedBytes, requests));
    }

    /// <summary>Whether reading these parts is worth it, once the directory is there.</summary>
    public bool IsWorth(long volumeBytes, long partBytes, int requests) => Mode == RangeReads.Always || IsCheaper(volumeBytes, partBytes, requests);

    /// <summary>About how many bytes of a volume will be read.</summary>
    public long Estimate(Volume volume, long wantedBytes, IVolumeStore store) =>
        IsWorthTrying(volume, wantedBytes, store) ? Math.Min(volume.SizeBytes, OverheadBytes(volume) + wantedBytes) : volume.SizeBytes;

    /// <summary>In about how many requests that will be.</summary>
    public int EstimateRequests(Volume volume, long wantedBytes, IVolumeStore store) =>
        IsWorthTrying(volume, wantedBytes, store) ? PartRequests(volume, wantedBytes) : 1;

    /// <summary>The whole volume is one request.</summary>
    private bool IsCheaper(long volumeBytes, long partBytes, int requests) => partBytes + (requests * RequestCostBytes) < volumeBytes + RequestCostBytes;

    /// <summary>Header, tail, and the blocks as one run.</summary>
    private static int PartRequests(Volume volume, long wantedBytes) => (IsEncrypted(volume) ? 2 : 1) + (wantedBytes > 0 ? 1 : 0);

    private long OverheadBytes(Volume volume) => TailBytes + (IsEncrypted(volume) ? SparseVolume.HeaderBytes : 0);

    private static bool HasRandomAccess(VolumeName name) => name is { Archive: ArchiveKind.Zip, Encryption: EncryptionKind.None or EncryptionKind.Aes };

    private static bool IsEncrypted(Volume volume) => volume.Name.Encryption == EncryptionKind.Aes;
}
