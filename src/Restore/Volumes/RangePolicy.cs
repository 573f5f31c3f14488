namespace Restore.Volumes;

/// <summary>
/// The cost model for reading parts of volumes: a request costs as many bytes as the link transfers
/// in the time of the request.
/// </summary>
/// <param name="KeepsIndexes">Whether a cache keeps index volumes; it needs them whole.</param>
/// <param name="PieceBytes">A volume that is read whole comes in concurrent pieces of this length;
/// null to read it with one request.</param>
internal sealed record RangePolicy(
    RangeReads Mode,
    long RequestCostBytes,
    bool KeepsIndexes = false,
    long? PieceBytes = null
)
{
    public static readonly RangePolicy Never = new(RangeReads.Never, 0);

    /// <summary>
    /// 50 ms at 5 MB/s, or 2.5 ms at 100 MB/s: between a home line and a data centre.
    /// </summary>
    public const long RemoteRequestBytes = 256 << 10;

    /// <summary>
    /// A local file must be opened and positioned too, but these are system calls, not a round
    /// trip.
    /// </summary>
    public const long LocalRequestBytes = 16 << 10;

    // At the start four transfers bring one volume of the usual 50 MB instead of four: the first is
    // complete in a quarter of the time, and the last does not arrive together with three others.
    // At 100 MB/s a piece takes 0.17 s, several times as long as its request.
    private const long LeastPieceBytes = 8 << 20;

    // The requests for additional pieces cost at most a sixteenth of their bytes.
    private const int RequestsInPiece = 16;

    private const long MaxRequestBytes = 1L << 40;

    // 64 MiB keep the stages busy with small volumes. There must be room for two large volumes, so
    // that one arrives while the other is used. At 50 ms and 100 MB/s the pieces of a second volume
    // of 50 MB fill the link; with whole volumes it takes four in transfer and one in use.
    private const long LeastBytesInFlight = 64 << 20;
    private const long LeastBytesOfWholeVolumesInFlight = 256 << 20;

    // A larger volume comes in parts, if it can. If it cannot, it is alone.
    private const long LargeVolumeBytes = 200 << 20;
    private const long LongTextBytes = 200 << 20;

    /// <summary>
    /// The bytes of blocks in one part of a large volume: each part costs the directory of the
    /// volume again.
    /// </summary>
    public const long PartOfLargeBytes = 64 << 20;

    /// <summary>
    /// How much of the end of a volume to read to find the directory of the archive: the cost of a
    /// request, within bounds. 64 KiB have the directory of some 600 blocks, which is a volume of
    /// Duplicati's default size.
    /// </summary>
    public int TailBytes => (int)Math.Clamp(RequestCostBytes, 4 << 10, 64 << 10);

    /// <exception cref="RestoreException">The request cost cannot be used.</exception>
    public static RangePolicy Resolve(
        RestoreTuning tuning,
        IVolumeStore store,
        bool readsParts = true,
        bool keepsIndexes = false
    )
    {
        RangeReads mode = readsParts ? tuning.RangeReads : RangeReads.Never;
        long cost = tuning.RequestCostBytes ?? (store.IsLocal ? LocalRequestBytes : RemoteRequestBytes);
        if (cost is < 0 or > MaxRequestBytes)
        {
            throw new RestoreException(
                RestoreErrorCode.OptionInvalid,
                $"{nameof(tuning.RequestCostBytes)} cannot be {cost}: the range is 0 to {MaxRequestBytes}"
            );
        }

        // An explicit number of downloaders is a number of requests.
        bool takesPieces = mode != RangeReads.Never && !store.IsLocal && tuning.VolumeDownloaders is null;
        return new RangePolicy(
            mode,
            cost,
            keepsIndexes,
            takesPieces ? Math.Max(LeastPieceBytes, RequestsInPiece * cost) : null
        );
    }

    public IReadOnlyList<ReadRange> PiecesOf(Volume volume, bool hasRanges)
    {
        long pieceBytes = hasRanges && PieceBytes is long length ? length : volume.SizeBytes;
        List<ReadRange> pieces = [];
        for (long from = 0; from < volume.SizeBytes; from += pieceBytes)
        {
            pieces.Add(new ReadRange(from, Math.Min(from + pieceBytes, volume.SizeBytes)));
        }

        return pieces;
    }

    /// <summary>
    /// How many bytes of volumes are in memory at once, unless the caller sets a limit.
    /// </summary>
    public long BytesInFlight(
        long largestVolumeBytes,
        IVolumeStore store,
        long largeBlocksBytes = 0,
        bool hasTexts = false,
        int volumes = 2
    )
    {
        bool comesWholeFromAfar = !store.IsLocal && (PieceBytes is null || !store.HasRanges);
        long least = comesWholeFromAfar ? LeastBytesOfWholeVolumesInFlight : LeastBytesInFlight;
        if (hasTexts)
        {
            long room = (2 * LargeVolumeBytes) - LongTextBytes - largeBlocksBytes;
            return Math.Max(LeastBytesInFlight, Math.Min(Math.Max(2 * least, 4 * largestVolumeBytes), room));
        }

        long several = Math.Min(volumes * largestVolumeBytes, (2 * LargeVolumeBytes) - largeBlocksBytes);
        return Math.Max(least, Math.Max(largestVolumeBytes, several));
    }

    /// <summary>Whether a volume is so large that its blocks are read part by part.</summary>
    public bool ReadsInParts(Volume volume, bool hasRanges) =>
        volume.SizeBytes > LargeVolumeBytes && CanReadParts(volume, hasRanges);

    /// <summary>
    /// Whether to request the directory of a volume, when only the size of the volume is known.
    /// </summary>
    /// <param name="wantedBytes">Decoded length of the needed blocks; 0 if only the directory is
    /// needed.</param>
    public bool IsWorthTrying(Volume volume, long wantedBytes, bool hasRanges)
    {
        if (!CanReadParts(volume, hasRanges))
        {
            return false;
        }

        // Blocks are usually neighbors, so the estimate counts them as one range. Their decoded
        // length is the most that they take in the volume.
        int requests = PartRequests(volume, wantedBytes);
        return Mode == RangeReads.Always
            || !VolumeLoader.FitsWhole(volume.SizeBytes)
            || IsCheaper(MostForParts(volume.SizeBytes), OverheadBytes(volume) + wantedBytes, requests);
    }

    /// <summary>
    /// Whether to request the directory of an index volume, to leave out the copies of blocklists
    /// that nothing needs.
    /// </summary>
    /// <param name="wantedBytes">Upper limit for the length of the needed blocklists that are
    /// missing.</param>
    public bool IsWorthTryingIndex(Volume volume, long wantedBytes, bool hasRanges)
    {
        if (KeepsIndexes || !CanReadParts(volume, hasRanges))
        {
            return false;
        }

        // The lists of blocks must be read. They take at least 36 bytes for a block, copies of
        // blocklists at most 32: no more than half.
        long copies = volume.SizeBytes / 2;
        long part = volume.SizeBytes - copies + Math.Min(copies, wantedBytes);
        return Mode == RangeReads.Always
            || IsCheaper(volume.SizeBytes, OverheadBytes(volume) + part, PartRequests(volume, part));
    }

    public bool IsWorth(long volumeBytes, long partBytes, int requests) =>
        Mode == RangeReads.Always
        || !VolumeLoader.FitsWhole(volumeBytes)
        || IsCheaper(MostForParts(volumeBytes), partBytes, requests);

    /// <summary>Explains to a person why a plan reads volumes in part, or not.</summary>
    public string Describe(IReadOnlyCollection<PlannedVolume> volumes)
    {
        PlannedVolume[] inPart = [.. volumes.Where(volume => volume.BytesToFetch < volume.SizeBytes)];
        (long parts, long whole, long requests) = (
            inPart.Sum(one => one.BytesToFetch),
            inPart.Sum(one => one.SizeBytes),
            inPart.Sum(one => one.Requests)
        );
        string cost = $"a request counts as {RequestCostBytes:N0} bytes";
        return inPart.Length == 0
            ? $"No volume is read in part ({cost}, and a part must save an eighth)"
            : $"{inPart.Length:N0} of {volumes.Count:N0} volumes are read in part: at most {parts:N0} bytes and {requests:N0} requests, together "
                + $"{parts + (requests * RequestCostBytes):N0}, instead of {whole:N0} ({cost})";
    }

    public long Estimate(Volume volume, long wantedBytes, bool hasRanges) =>
        IsWorthTrying(volume, wantedBytes, hasRanges)
            ? Math.Min(volume.SizeBytes, OverheadBytes(volume) + wantedBytes)
            : volume.SizeBytes;

    public int EstimateRequests(Volume volume, long wantedBytes, bool hasRanges) =>
        IsWorthTrying(volume, wantedBytes, hasRanges)
            ? PartRequests(volume, wantedBytes)
            : PieceCount(volume, hasRanges);

    /// <summary>
    /// Whether parts of a volume can be read. A volume that does not fit into memory has no other
    /// way: if the store has no ranges, the volume is copied to a file first.
    /// </summary>
    public bool CanReadParts(Volume volume, bool hasRanges) =>
        ((Mode != RangeReads.Never && hasRanges) || !VolumeLoader.FitsWhole(volume.SizeBytes))
        && volume.SizeBytes > 0
        && HasRandomAccess(volume.Name);

    private int PieceCount(Volume volume, bool hasRanges) =>
        hasRanges && PieceBytes is long length
            ? (int)Math.Clamp(((volume.SizeBytes - 1) / length) + 1, 1, int.MaxValue)
            : 1;

    private bool IsCheaper(long volumeBytes, long partBytes, int requests) =>
        partBytes + (requests * RequestCostBytes) < volumeBytes + RequestCostBytes;

    /// <summary>
    /// What parts may cost at most: a part is not authenticated, and a restore of nearly all of a
    /// volume must not read its directory first.
    /// </summary>
    private static long MostForParts(long volumeBytes) => volumeBytes - (volumeBytes / 8);

    private static int PartRequests(Volume volume, long wantedBytes) =>
        (IsEncrypted(volume) ? 2 : 1) + (wantedBytes > 0 ? 1 : 0);

    private long OverheadBytes(Volume volume) => TailBytes + (IsEncrypted(volume) ? VolumeTail.HeaderBytes : 0);

    private static bool HasRandomAccess(VolumeName name) =>
        name is { Archive: ArchiveKind.Zip, Encryption: EncryptionKind.None or EncryptionKind.Aes };

    private static bool IsEncrypted(Volume volume) => volume.Name.Encryption == EncryptionKind.Aes;
}
