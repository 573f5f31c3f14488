using System.CommandLine;

namespace Restore.Cli.Options;

/// <summary>The dimensions of the flow of a restore or a drill. A correct result does not depend on them.</summary>
internal sealed class TuningOptions : OptionGroup
{
    // The library's own limits, checked before the library is called.
    private const int MostCopies = 256;
    private const int MostBatches = 4096;
    private const string ByCores = "by the cores";

    private readonly Option<int?> fileProcessors = Declare.Count(
        "--restore-file-processors", 1, MostCopies, ByCores, "Copies of FileProcessor and of TargetScanner");

    private readonly Option<int?> volumeDownloaders = Declare.Count(
        "--restore-volume-downloaders", 1, MostCopies, "by the cores; for a remote store 4 to 16, by the link", "Copies of VolumeDownloader");

    private readonly Option<int?> volumeDecryptors = Declare.Count(
        "--restore-volume-decryptors", 1, MostCopies, ByCores, "Copies of VolumeDecryptor");

    private readonly Option<int?> volumeDecompressors = Declare.Count(
        "--restore-volume-decompressors", 1, MostCopies, ByCores, "Copies of VolumeDecompressor");

    private readonly Option<int?> channelBufferSize = Declare.CountWithin(
        "--restore-channel-buffer-size", 1, MostBatches, "as many as cores; to each FileProcessor 4", "Batches that each channel holds");

    private readonly Option<long?> cacheMax = Declare.Size(
        "--restore-cache-max", "mb", "0b", "64tb", "4gb",
        "Bytes of blocks kept in memory until a file needs them, at most a quarter of the memory; 0 writes each immediately");

    private readonly Option<int?> cacheEvict = Declare.CountWithin(
        "--restore-cache-evict", 1, 100, "50", "Percent of the kept blocks that are written out when there are too many", "--restory-cache-evict");

    private readonly Option<long?> volumeCacheHint = Declare.Size(
        "--restore-volume-cache-hint", "mb", "0b", "64tb", "64mb, or two volumes, or one for every two cores",
        "Bytes of volumes in flight, at least one volume; the default is 256mb if volumes come whole from a remote store");

    private readonly Option<RangeReads?> rangeReads = Declare.Word<RangeReads>(
        "--range-reads", "auto", "Whether parts of volumes are read instead of the whole: where that is cheaper, never, or where store and format allow it");

    private readonly Option<long?> requestCost = Declare.Size(
        "--request-cost", "kb", "0b", "1tb", "256kb; 16kb for a local folder", "The cost of a request in bytes, for that decision");

    private readonly Option<bool> legacy = Declare.Flag("--restore-legacy", "Use the legacy flow: sequential and slower, kept for comparison");

    private readonly Option<bool> internalProfiling = Declare.Flag(
        "--internal-profiling", "Print after the summary what each process did and waited for, phases, peak memory, choices made");

    public override string Title => "Tuning";

    public override IReadOnlyList<Option> Options =>
    [
        fileProcessors, volumeDownloaders, volumeDecryptors, volumeDecompressors, channelBufferSize, cacheMax, cacheEvict, volumeCacheHint,
        rangeReads, requestCost, legacy, internalProfiling,
    ];

    public override HostRequest Apply(HostRequest request, CommandLine line) => request with
    {
        Run = request.Run with { Profile = line.Value(internalProfiling) },
        Execution = request.Execution with
        {
            Profile = line.Value(internalProfiling),
            Legacy = line.Value(legacy),
            Tuning = Tuning(request.Execution.Tuning, line),
        },
    };

    private RestoreTuning Tuning(RestoreTuning tuning, CommandLine line) => tuning with
    {
        FileProcessors = line.Value(fileProcessors),
        VolumeDownloaders = line.Value(volumeDownloaders),
        VolumeDecryptors = line.Value(volumeDecryptors),
        VolumeDecompressors = line.Value(volumeDecompressors),
        ChannelBufferSize = line.Value(channelBufferSize),
        CacheMaxBytes = line.Value(cacheMax) ?? tuning.CacheMaxBytes,
        CacheEvictPercent = line.Value(cacheEvict) ?? tuning.CacheEvictPercent,
        RangeReads = line.Value(rangeReads) ?? tuning.RangeReads,
        RequestCostBytes = line.Value(requestCost),
        VolumeCacheHintBytes = line.Value(volumeCacheHint) is { } hint ? Math.Max(hint, 1) : null,
    };
}
