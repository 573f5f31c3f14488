namespace Restore.Cli.Rendering;

/// <summary>Progress as one line.</summary>
internal static class ProgressText
{
    /// <param name="progress">The progress.</param>
    /// <param name="rate">Its rate.</param>
    /// <param name="verifyOnly">Whether it is a drill.</param>
    /// <param name="width">Room for the line: less important parts are left out until it fits.</param>
    public static string Describe(RestoreProgress progress, RateMeter rate, bool verifyOnly, int width = int.MaxValue)
    {
        var name = Name(progress.Phase, verifyOnly);
        List<string> parts = [.. Parts(progress, rate, width < int.MaxValue ? Sparkline.Of(rate.Recent) : "")];
        while (true)
        {
            var line = parts.Count == 0 ? name : $"{name}: {string.Join(", ", parts)}";
            if (line.Length <= width || parts.Count <= 1)
            {
                return line;
            }

            // Parts in order of increasing importance: what is done first, what people wait for last.
            parts.RemoveAt(1);
        }
    }

    private static IEnumerable<string> Parts(RestoreProgress progress, RateMeter rate, string drawn)
    {
        switch (progress.Phase)
        {
            case RestorePhase.ReadingFileList or RestorePhase.ScanningTarget when progress.FilesDone > 0:
                yield return OutOf(progress.FilesDone, progress.FilesTotal, "file");
                break;
            case RestorePhase.Finishing when progress.FilesTotal > 0:
                yield return OutOf(progress.FilesDone, progress.FilesTotal, "shared file");
                break;
            case RestorePhase.LocatingBlocks when progress.VolumesDone > 0:
                yield return OutOf(progress.VolumesDone, progress.VolumesTotal, "index volume");
                break;
            case RestorePhase.Restoring:
                var percent = Units.Percent(progress.BytesDone, progress.BytesTotal);
                yield return $"{Units.Bytes(progress.BytesDone)} of {Units.Bytes(progress.BytesTotal)} ({percent})";
                yield return OutOf(progress.FilesDone, progress.FilesTotal, "file");
                yield return OutOf(progress.VolumesDone, progress.VolumesTotal, "volume");
                break;
        }

        if (progress is { Phase: RestorePhase.MovingBlocks, VolumesDone: > 0 })
        {
            yield return $"{Units.Bytes(progress.BytesDone)} of {Units.Bytes(progress.BytesTotal)}";
            yield return OutOf(progress.VolumesDone, progress.VolumesTotal, "volume");
        }

        if (progress.Phase == RestorePhase.Restoring && rate.BytesPerSecond > 0)
        {
            yield return drawn.Length > 0 ? $"{drawn} {Units.Rate(rate.BytesPerSecond)}" : Units.Rate(rate.BytesPerSecond);
        }

        if (progress.Phase == RestorePhase.Restoring && rate.Left is { } left)
        {
            yield return Units.Duration(left) + " left";
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
        RestorePhase.Flushing => "Waiting until the device has everything",
        RestorePhase.WritingDatabase => "Writing the database",
        RestorePhase.MovingBlocks => "Moving blocks to new volumes",
        RestorePhase.WaitingForShard => "Waiting for another process that restores this shard",
        _ => "Done",
    };
}
