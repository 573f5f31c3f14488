using Restore.Reading;

namespace Restore.Restoring;

/// <summary>The tuning options, resolved for this machine and checked.</summary>
/// <param name="FileProcessors">Copies of FileProcessor and TargetScanner.</param>
/// <param name="ChannelCapacity">Capacity of each channel in batches.</param>
/// <param name="WorkCapacity">Capacity of the channel of each FileProcessor in batches.</param>
internal sealed record FlowSettings(
    ReadingSettings Reading,
    int FileProcessors,
    int ChannelCapacity,
    int WorkCapacity,
    long StoreBytes,
    int EvictPercent
)
{
    // More copies than this only add memory: a copy is a task, and each stage is bound by cores or
    // by the link.
    private const int MaxCopies = 256;

    // 4,096 batches of 1 MiB are 4 GiB: more would only cost memory.
    private const int MaxCapacity = 4096;

    // A large file keeps one FileProcessor busy; the blocks of the next file must pass to the
    // others. All channels together, and for each of many FileProcessors: what waits grows with the
    // cores, not with their square.
    private const int WorkBatches = 8;
    private const int WorkBatchesOfEach = 4;

    // A batch usually has 1 MiB. The messages in the channels of one kind take at most a sixteenth
    // of the memory.
    private const long BatchBytes = 1 << 20;
    private const int WaitingShare = 16;

    // Two cores are busy with the volumes that are in memory: one volume is authenticated and
    // decrypted, another one restored. Usual volumes have 50 MiB.
    private const int CoresPerVolume = 2;
    private const int UsualVolumeMebibytes = 50;

    // As many as a server usually allows one client; the flow finds out how many of them should
    // transfer at the same time. An idle copy costs nothing.
    private const int RemoteDownloaders = 16;

    // Parts of volumes are also decrypted by the downloader, so a single copy would leave cores
    // idle.
    private const int LocalDownloaders = 2;

    /// <summary>
    /// The settings of the legacy flow: one of everything, each volume through a temporary file,
    /// each block written when it comes.
    /// </summary>
    public FlowSettings Sequential()
    {
        ReadingSettings reading = new(1, AdaptsDownloads: false, 1, 1, ChannelCapacity: 1, Reading.BytesInFlight)
        {
            VolumesInFlight = 1,
            UsesSpool = true,
        };
        return this with
        {
            Reading = reading,
            FileProcessors = 1,
            ChannelCapacity = 1,
            WorkCapacity = 1,
            StoreBytes = 0,
        };
    }

    /// <summary>
    /// Resolves the tuning options; the exception names an invalid value and its range.
    /// </summary>
    public static FlowSettings Resolve(RestoreTuning tuning, int cores, long memoryBytes, bool isLocal)
    {
        // Every stage except the downloader is bound by the processor. With as many copies as cores
        // no core is idle, whichever stage is the heaviest for the data; more never run than there
        // are cores, so the rest costs nothing. Capacities depend on the cores, within the memory.
        int byCores = Math.Clamp(cores, 1, MaxCopies);
        long affordable = memoryBytes / WaitingShare / BatchBytes;
        int processors = Checked(nameof(tuning.FileProcessors), tuning.FileProcessors ?? byCores, 1, MaxCopies);
        int workCapacity = (int)
            Math.Clamp(
                affordable / processors,
                1,
                Math.Max(WorkBatches / processors, Math.Min(byCores, WorkBatchesOfEach))
            );
        int downloaders = isLocal ? Math.Max(Math.Min(LocalDownloaders, byCores), byCores / 2) : RemoteDownloaders;
        int capacityByCores = (int)Math.Clamp(affordable, 1, byCores);
        int capacity = Checked(
            nameof(tuning.ChannelBufferSize),
            tuning.ChannelBufferSize ?? capacityByCores,
            1,
            MaxCapacity
        );
        ReadingSettings reading = new(
            Checked(nameof(tuning.VolumeDownloaders), tuning.VolumeDownloaders ?? downloaders, 1, MaxCopies),
            tuning.VolumeDownloaders is null && !isLocal,
            Checked(nameof(tuning.VolumeDecryptors), tuning.VolumeDecryptors ?? Math.Max(1, byCores / 2), 1, MaxCopies),
            Checked(nameof(tuning.VolumeDecompressors), tuning.VolumeDecompressors ?? byCores, 1, MaxCopies),
            capacity,
            tuning.VolumeCacheHintBytes is long hint
                ? Checked(nameof(tuning.VolumeCacheHintBytes), hint, 1, long.MaxValue)
                : null
        )
        {
            VolumesInFlight = (int)Math.Max(2, Math.Min(byCores / CoresPerVolume, affordable / UsualVolumeMebibytes)),
        };
        return new FlowSettings(
            reading,
            processors,
            capacity,
            tuning.ChannelBufferSize ?? workCapacity,
            Math.Min(Checked(nameof(tuning.CacheMaxBytes), tuning.CacheMaxBytes, 0, long.MaxValue), memoryBytes / 4),
            Checked(nameof(tuning.CacheEvictPercent), tuning.CacheEvictPercent, 1, 100)
        );
    }

    private static T Checked<T>(string option, T value, T least, T most)
        where T : IComparable<T> =>
        value.CompareTo(least) >= 0 && value.CompareTo(most) <= 0
            ? value
            : throw new RestoreException(
                RestoreErrorCode.OptionInvalid,
                $"{option} cannot be {value}: the range is {least} to {most}"
            );
}
