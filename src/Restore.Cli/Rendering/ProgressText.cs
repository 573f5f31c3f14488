using System.Text;

namespace Restore.Cli.Rendering;

/// <summary>One line that says how far a run is.</summary>
internal static class ProgressText
{
    public static string Describe(RestoreProgress progress, RateMeter rate, bool verifyOnly)
    {
        var line = new StringBuilder(Name(progress.Phase, verifyOnly));
        var separator = ": ";
        void Add(string part)
        {
            line.Append(separator).Append(part);
            separator = ", ";
        }

        switch (progress.Phase)
        {
            case RestorePhase.ReadingFileList or RestorePhase.ScanningTarget when progress.FilesDone > 0:
                Add(OutOf(progress.FilesDone, progress.FilesTotal, "file"));
                break;
            case RestorePhase.LocatingBlocks when progress.VolumesDone > 0:
                Add(OutOf(progress.VolumesDone, progress.VolumesTotal, "index volume"));
                break;
            case RestorePhase.Restoring:
                Add($"{Units.Bytes(progress.BytesDone)} of {Units.Bytes(progress.BytesTotal)} ({Units.Percent(progress.BytesDone, progress.BytesTotal)})");
                Add(OutOf(progress.FilesDone, progress.FilesTotal, "file"));
                Add(OutOf(progress.VolumesDone, progress.VolumesTotal, "volume"));
                AddRate(rate, Add);
                break;
        }

        return line.ToString();
    }

    private static void AddRate(RateMeter rate, Action<string> add)
    {
        if (rate.BytesPerSecond > 0)
        {
            add(Units.Rate(rate.BytesPerSecond));
        }

        if (rate.Left is { } left)
        {
            add(Units.Duration(left) + " left");
        }
    }

    private static string OutOf(long done, long total, string noun) =>
        total > 0 ? $"{Units.Number(done)} of {Units.Count(total, noun)}" : Units.Count(done, noun);

    private static string Name(RestorePhase phase, bool verifyOnly) => phase switch
    {
        RestorePhase.ReadingFileList => "Reading the file list",
        RestorePhase.ScanningTarget => "Looking at what is at the target",
        RestorePhase.LocatingBlocks => "Locating blocks",
        RestorePhase.Restoring => verifyOnly ? "Verifying" : "Restoring",
        RestorePhase.Finishing => "Finishing folders and links",
        _ => "Done",
    };
}
