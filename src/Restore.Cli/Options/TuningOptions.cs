using static Restore.Cli.Options.Declare;

namespace Restore.Cli.Options;

/// <summary>
/// The dimensions of the flow of a restore or a drill. A correct result does not depend on them.
/// </summary>
internal static class TuningOptions
{
    // The library's own limits, checked before the library is called.
    private const int MostCopies = 256;
    private const int MostBatches = 4096;
    private const string ByCores = "by the cores";

    public static OptionGroup Group() =>
        new(
            "Tuning",
            [
                Count(
                        "--restore-file-processors",
                        1,
                        MostCopies,
                        ByCores,
                        "Copies of FileProcessor and of TargetScanner"
                    )
                    .SetsTuning((tuning, copies) => tuning with { FileProcessors = copies }),
                Count(
                        "--restore-volume-downloaders",
                        1,
                        MostCopies,
                        "by the cores; for a remote store 4 to 16, by the link",
                        "Copies of VolumeDownloader"
                    )
                    .SetsTuning((tuning, copies) => tuning with { VolumeDownloaders = copies }),
                Count("--restore-volume-decryptors", 1, MostCopies, ByCores, "Copies of VolumeDecryptor")
                    .SetsTuning((tuning, copies) => tuning with { VolumeDecryptors = copies }),
                Count("--restore-volume-decompressors", 1, MostCopies, ByCores, "Copies of VolumeDecompressor")
                    .SetsTuning((tuning, copies) => tuning with { VolumeDecompressors = copies }),
                CountWithin(
                        "--restore-channel-buffer-size",
                        1,
                        MostBatches,
                        "as many as cores; to each FileProcessor 4",
                        "Batches that each channel holds"
                    )
                    .SetsTuning((tuning, batches) => tuning with { ChannelBufferSize = batches }),
                Size(
                        "--restore-cache-max",
                        "mb",
                        "0b",
                        "64tb",
                        "4gb",
                        "Bytes of blocks kept in memory until a file needs them, at most a quarter of the memory; 0 writes each immediately"
                    )
                    .SetsTuning((tuning, bytes) => tuning with { CacheMaxBytes = (long)bytes! }),
                CountWithin(
                        "--restore-cache-evict",
                        1,
                        100,
                        "50",
                        "Percent of the kept blocks that are written out when there are too many",
                        "--restory-cache-evict"
                    )
                    .SetsTuning((tuning, percent) => tuning with { CacheEvictPercent = (int)percent! }),
                Size(
                        "--restore-volume-cache-hint",
                        "mb",
                        "0b",
                        "64tb",
                        "64mb, or two volumes, or one for every two cores",
                        "Bytes of volumes in flight, at least one volume; the default is 256mb if volumes come whole from a remote store"
                    )
                    .SetsTuning((tuning, bytes) => tuning with { VolumeCacheHintBytes = Math.Max((long)bytes!, 1) }),
                Word<RangeReads>(
                        "--range-reads",
                        "auto",
                        "Whether parts of volumes are read instead of the whole: where that is cheaper, never, or where store and format allow it"
                    )
                    .SetsTuning((tuning, reads) => tuning with { RangeReads = (RangeReads)reads! }),
                Size(
                        "--request-cost",
                        "kb",
                        "0b",
                        "1tb",
                        "256kb; 16kb for a local folder",
                        "The cost of a request in bytes, for that decision"
                    )
                    .SetsTuning((tuning, bytes) => tuning with { RequestCostBytes = bytes }),
                Flag("--restore-legacy", "Use the legacy flow: sequential and slower, kept for comparison")
                    .SetsExecution((execution, isLegacy) => execution with { Legacy = isLegacy }),
                Flag(
                        "--internal-profiling",
                        "Print after the summary what each process did and waited for, phases, peak memory, choices made"
                    )
                    .SetsExecution((execution, profiles) => execution with { Profile = profiles }),
            ]
        )
        {
            IsGeneral = true,
        };
}
