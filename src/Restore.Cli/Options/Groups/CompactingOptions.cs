using System.CommandLine;

namespace Restore.Cli.Options.Groups;

/// <summary>When volumes are rewritten, by Duplicati's names.</summary>
internal sealed class CompactingOptions(SharedOptions shared) : OptionGroup
{
    private readonly Option<int?> threshold = Declare.Count(
        "--threshold", 0, 100, "25", "Rewrite volumes of which this share, in percent, is needed by no version, if the backup has as much waste in all");

    private readonly Option<long?> smallFileSize = Declare.Size(
        "--small-file-size", "mb", "0", "1gb", "a fifth of --dblock-size", "A volume of at most this size is small");

    private readonly Option<int?> smallFileMaxCount = Declare.Count(
        "--small-file-max-count", 0, int.MaxValue, "20", "Rewrite small volumes if there are more of them, or if together they are longer than a volume");

    public override string Title => "Keeping";

    public override IReadOnlyList<Option> Options => [threshold, smallFileSize, smallFileMaxCount, shared.VolumeSize];

    public CompactOptions Of(CommandLine line)
    {
        CompactOptions usual = new();
        return usual with
        {
            ThresholdPercent = line.Value(threshold) ?? usual.ThresholdPercent,
            SmallFileSizeBytes = line.Value(smallFileSize),
            SmallFileMaxCount = line.Value(smallFileMaxCount) ?? usual.SmallFileMaxCount,
            VolumeSizeBytes = (int?)line.Value(shared.VolumeSize),
        };
    }
}
