using Restore.Format;
using Restore.Storage;
using Restore.Volumes.Sparse;

namespace Restore.Volumes;

/// <summary>The cost model of reading parts of volumes: a request is worth as many bytes as the link brings in the time that it takes.</summary>
/// <param name="Mode">Whether parts are read at all.</param>
/// <param name="RequestCostBytes">What a request costs, in bytes.</param>
/// <param name="KeepsIndexes">Whether index volumes are kept in a cache, which takes whole ones only.</param>
/// <param name="PieceBytes">A volume that is wanted whole comes in pieces of this length, side by side; null to ask for it at once.</param>
internal sealed record RangePolicy(RangeReads Mode, long RequestCostBytes, bool KeepsIndexes = false, long? PieceBytes = null)
{
    /// <summary>50 ms at 5 MB/s, or 2.5 ms at 100 MB/s: between a home line and a data centre.</summary>
    public const long RemoteRequestBytes = 256 << 10;

    /// <summary>A local file has to be opened and sought too, but that is system calls, not a round trip.</summary>
    public const long LocalRequestBytes = 16 << 10;

    // The four transfers that go on at first bring one volume of the usual 50 MB and not four: the first is there in a quarter of the time, and the last does
    // not come with three others. At 100 MB/s a piece takes 0.17 s, several times as long as its request.
    private const long LeastPieceBytes = 8 << 20;

    // The requests for further pieces cost no more than a sixteenth of their bytes.
    private const int RequestsInPiece = 16;

    private const long MaxRequestBytes = 1L << 40;

    // A volume that comes faster than it is used up: 64 MiB keep the stages busy with small ones. Of larger ones there must be two, so that one comes while the
    // other is used. At 50 ms and 100 MB/s the pieces of the second of 50 MB fill the link; of whole volumes it takes four on their way and one in use.
    private const long LeastBytesInFlight = 64 << 20;
    private const long LeastBytesOfWholeVolumesInFlight = 256 << 20;

    /// <summary>
    /// How much of the end of a volume is read to find the archive's directory: a request's worth, within reason.
    /// 64 KiB have the directory of some 600 blocks, which is a volume of Duplicati's default size.
    /// </summary>
    public int TailBytes => (int)Math.Clamp(RequestCostBytes, 4 << 10, 64 << 10);

    /// <summary>The policy for a store.</summary>
    /// <exception cref="RestoreException">The request cost cannot be used.</exception>
    public static RangePolicy Resolve(RestoreOptions options, IVolumeStore store, bool readsParts = true, bool keepsIndexes = false)
    {
        RangeReads mode = readsParts ? options.RangeReads : RangeReads.Never;
        long cost = options.RequestCostBytes ?? (store.IsLocal ? LocalRequestBytes : RemoteRequestBytes);
        if (cost is < 0 or > MaxRequestBytes)
        {
            throw new RestoreException(
                RestoreErrorCode.OptionInvalid, $"{nameof(options.RequestCostBytes)} cannot be {cost}: the range is 0 to {MaxRequestBytes}");
        }

        // A number of downloaders that is given is a number of requests.
        bool takesPieces = mode != RangeReads.Never && !store.IsLocal && options.VolumeDownloaders is null;
        return new RangePolicy(mode, cost, keepsIndexes, takesPieces ? Math.Max(LeastPieceBytes, RequestsInPiece * cost) : null);
    }

    /// <summary>The parts of a volume that is wanted whole, each to be asked for on its own.</summary>
    public IReadOnlyList<ByteRun> PiecesOf(Volume volume, bool hasRanges)
    {
        long pieceBytes = hasRanges && PieceBytes is long length ? length : volume.SizeBytes;
        List<ByteRun> pieces = [];
        for (long from = 0; from < volume.SizeBytes; from += pieceBytes)
        {
            pieces.Add(new ByteRun(from, Math.Min(from + pieceBytes, volume.SizeBytes)));
        }

        return pieces;
    }

    /// <summary>How many bytes of volumes are in memory at once unless their number is given.</summary>
    public long BytesInFlight(long largestVolumeBytes, IVolumeStore store)
    {
        bool comesWholeFromAfar = !store.IsLocal && (PieceBytes is null || !store.HasRanges);
        return Math.Max(comesWholeFromAfar ? LeastBytesOfWholeVolumesInFlight : LeastBytesInFlight, 2 * largestVolumeBytes);
    }

    /// <summary>Whether it is worth asking for a volume's directory, before anything of the volume is known but its size.</summary>
    /// <param name="volume">The volume.</param>
    /// <param name="wantedBytes">Length of the wanted blocks, decoded; 0 when only the directory is wanted.</param>
    /// <param name="hasRanges">Whether the store reads ranges.</param>
    public bool IsWorthTrying(Volume volume, long wantedBytes, bool hasRanges)
    {
        if (!CanTry(volume, hasRanges))
        {
            return false;
        }

        // A restore of most of a volume never pays for a look at its directory. Neighbours are the rule, so the blocks are taken to be one run.
        int requests = PartRequests(volume, wantedBytes);
        return Mode == RangeReads.Always
            || (wantedBytes < volume.SizeBytes / 2 && IsCheaper(volume.SizeBytes, OverheadBytes(volume) + wantedBytes, requests));
    }

    /// <summary>Whether it is worth asking for the directory of an index volume, to leave out the copies of blocklists that nothing needs.</summary>
    /// <param name="volume">The index volume.</param>
    /// <param name="wantedBytes">At most the length of the blocklists that are needed and not there yet.</param>
    /// <param name="hasRanges">Whether the store reads ranges.</param>
    public bool IsWorthTryingIndex(Volume volume, long wantedBytes, bool hasRanges)
    {
        if (KeepsIndexes || !CanTry(volume, hasRanges))
        {
            return false;
        }

        // The lists of blocks have to be read. They take 36 bytes for a block at least, copies of blocklists 32 at most: those are no more than half.
        long copies = volume.SizeBytes / 2;
        long part = volume.SizeBytes - copies + Math.Min(copies, wantedBytes);
        return Mode == RangeReads.Always || IsCheaper(volume.SizeBytes, OverheadBytes(volume) + part, PartRequests(volume, part));
    }

    /// <summary>Whether reading these parts is worth it, once the directory is there.</summary>
    public bool IsWorth(long volumeBytes, long partBytes, int requests) => Mode == RangeReads.Always || IsCheaper(volumeBytes, partBytes, requests);

    /// <summary>About how many bytes of a volume will be read.</summary>
    public long Estimate(Volume volume, long wantedBytes, bool hasRanges) =>
        IsWorthTrying(volume, wantedBytes, hasRanges) ? Math.Min(volume.SizeBytes, OverheadBytes(volume) + wantedBytes) : volume.SizeBytes;

    /// <summary>In about how many requests that will be.</summary>
    public int EstimateRequests(Volume volume, long wantedBytes, bool hasRanges) =>
        IsWorthTrying(volume, wantedBytes, hasRanges) ? PartRequests(volume, wantedBytes) : Math.Max(1, PiecesOf(volume, hasRanges).Count);

    /// <summary>The whole volume is taken to be one request.</summary>
    private bool IsCheaper(long volumeBytes, long partBytes, int requests) => partBytes + (requests * RequestCostBytes) < volumeBytes + RequestCostBytes;

    private bool CanTry(Volume volume, bool hasRanges) =>
        Mode != RangeReads.Never && hasRanges && volume.SizeBytes > 0 && HasRandomAccess(volume.Name);

    /// <summary>Header, tail, and the blocks as one run.</summary>
    private static int PartRequests(Volume volume, long wantedBytes) => (IsEncrypted(volume) ? 2 : 1) + (wantedBytes > 0 ? 1 : 0);

    private long OverheadBytes(Volume volume) => TailBytes + (IsEncrypted(volume) ? VolumeTail.HeaderBytes : 0);

    private static bool HasRandomAccess(VolumeName name) => name is { Archive: ArchiveKind.Zip, Encryption: EncryptionKind.None or EncryptionKind.Aes };

    private static bool IsEncrypted(Volume volume) => volume.Name.Encryption == EncryptionKind.Aes;
}
