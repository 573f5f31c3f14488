namespace Restore.Cli.Rendering;

internal static class ProgressText
{
    // A volume that is decoded, or an answer from the other end of the world, takes less.
    private static readonly TimeSpan Silence = TimeSpan.FromSeconds(3);

    private const int LeastOfFile = 12;

    /// <summary>
    /// What the run waits for comes first, and is cut where the line ends. Less important parts are
    /// left out until the line fits the width; the file that is being restored takes what is left
    /// of it.
    /// </summary>
    public static string Describe(
        RestoreProgress progress,
        RateMeter rate,
        bool verifyOnly,
        int width = int.MaxValue,
        TimeSpan? elapsed = null
    )
    {
        var name = (elapsed is { } time ? Clock(time) + " " : "") + Name(progress.Phase, verifyOnly);
        var curve = width < int.MaxValue ? Sparkline.Of(rate.Recent) : "";
        var state = State(progress, rate.Still);
        List<string> parts = [.. state is null ? [] : new[] { state }, .. Parts(progress, rate, verifyOnly, curve)];
        var kept = state is null ? 1 : 2;
        while (true)
        {
            var line = parts.Count == 0 ? name : $"{name}: {string.Join(", ", parts)}";
            if (line.Length <= width || parts.Count <= 1)
            {
                return WithFile(Cut(line, width), progress.CurrentPath, width);
            }

            // Parts in order of increasing importance: what is done first, what people wait for
            // last. The rate stays longer than its curve.
            var least = Math.Min(kept, parts.Count - 1);
            if (curve.Length > 0 && parts[least].StartsWith(curve, StringComparison.Ordinal))
            {
                parts[least] = parts[least][(curve.Length + 1)..];
            }
            else
            {
                parts.RemoveAt(least);
            }
        }
    }

    /// <summary>"0:07", "12:07", "1:02:07".</summary>
    private static string Clock(TimeSpan time) =>
        time.TotalHours < 1
            ? string.Create(CultureInfo.InvariantCulture, $"{time.Minutes}:{time.Seconds:00}")
            : string.Create(
                CultureInfo.InvariantCulture,
                $"{Math.Floor(time.TotalHours):0}:{time.Minutes:00}:{time.Seconds:00}"
            );

    private static string Cut(string line, int width) =>
        line.Length <= width ? line
        : width < 2 ? line[..width]
        : line[..(width - 1)] + "…";

    /// <summary>On a terminal, the end of a long path is shown: there the name is.</summary>
    private static string WithFile(string line, string? path, int width)
    {
        var room = width == int.MaxValue ? 0 : width - line.Length - 2;
        if (path is null || room < LeastOfFile)
        {
            return line;
        }

        var text = SafeText.Escape(path);
        return $"{line}, {(text.Length <= room ? text : "…" + text[^(room - 1)..])}";
    }

    private static IEnumerable<string> Parts(RestoreProgress progress, RateMeter rate, bool verifyOnly, string drawn)
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
                var inPlace = $"{Units.Bytes(progress.BytesDone)} of {Units.Bytes(progress.BytesTotal)}";
                var percent = Units.Percent(progress.Fraction, 1);
                if (progress.BytesToFetch > 0)
                {
                    var toFetch = Units.Bytes(Math.Max(progress.BytesToFetch, progress.BytesFetched));
                    yield return $"{Units.Bytes(progress.BytesFetched)} of {toFetch} fetched ({percent})";
                    yield return inPlace + (verifyOnly ? " verified" : " in place");
                }
                else
                {
                    yield return $"{inPlace} ({percent})";
                }

                if (progress.FilesTotal > 0)
                {
                    yield return OutOf(progress.FilesDone, progress.FilesTotal, "file");
                }

                if (progress.VolumesTotal > 0)
                {
                    yield return OutOf(progress.VolumesDone, progress.VolumesTotal, "volume");
                }

                break;
        }

        if (progress is { Phase: RestorePhase.MovingBlocks, VolumesDone: > 0 })
        {
            yield return $"{Units.Bytes(progress.BytesDone)} of {Units.Bytes(progress.BytesTotal)}";
            yield return OutOf(progress.VolumesDone, progress.VolumesTotal, "volume");
        }

        if (progress.Phase is RestorePhase.ReadingFileList or RestorePhase.LocatingBlocks && progress.BytesFetched > 0)
        {
            yield return Units.Bytes(progress.BytesFetched) + " fetched";
        }

        // What is being repeated has no rate.
        if (progress.Retry is not null)
        {
            yield break;
        }

        if (progress.Phase == RestorePhase.Restoring && rate.BytesPerSecond > 0)
        {
            yield return drawn.Length > 0
                ? $"{drawn} {Units.Rate(rate.BytesPerSecond)}"
                : Units.Rate(rate.BytesPerSecond);
        }

        if (progress.Phase == RestorePhase.Restoring && rate.Left is { } left)
        {
            yield return Left(left) + " left";
        }
    }

    /// <summary>The number of seconds that <c>--json</c> has.</summary>
    private static string Left(TimeSpan left) =>
        left.TotalMinutes < 1 ? $"{(long)left.TotalSeconds} s" : Units.Duration(left);

    /// <summary>What the run waits for, when nothing has moved for a while.</summary>
    private static string? State(RestoreProgress progress, TimeSpan still) =>
        progress.Retry is { } retry
            ? $"waiting, attempt {retry.Attempt} of {retry.Attempts}: {SafeText.Escape(retry.Reason)} ({SafeText.Escape(retry.Location)})"
        : still < Silence || progress.Phase == RestorePhase.Done ? null
        : progress.OpenRequests > 0 ? $"nothing has come from the store for {Units.Duration(still)}"
        : progress.Phase == RestorePhase.Restoring
            ? $"everything asked for has come, decoding and writing for {Units.Duration(still)}"
        : $"working for {Units.Duration(still)}";

    private static string OutOf(long done, long total, string noun) =>
        total > 0 ? $"{Units.Number(done)} of {Units.Count(total, noun)}" : Units.Count(done, noun);

    private static string Name(RestorePhase phase, bool verifyOnly) =>
        phase switch
        {
            RestorePhase.ReadingFileList => "Reading the file list",
            RestorePhase.ScanningTarget => "Looking at what is at the target",
            RestorePhase.LocatingBlocks => "Locating blocks",
            RestorePhase.Restoring => verifyOnly ? "Verifying" : "Restoring",
            RestorePhase.Finishing => "Finishing folders and links",
            RestorePhase.Flushing => "Waiting until the device has everything",
            RestorePhase.WritingDatabase => "Writing the database",
            RestorePhase.MovingBlocks => "Moving blocks to new volumes",
            RestorePhase.WaitingForShard => "Waiting for another process that does this part",
            _ => "Done",
        };
}
