namespace Restore.Cli.Rendering;

internal static class ProgressText
{
    /// <summary>Less important parts are left out until the line fits the width.</summary>
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

internal static class Sparkline
{
    private const string Bars = "▁▂▃▄▅▆▇█";

    /// <summary>The bars; the largest number has the highest. Empty for fewer than two numbers.</summary>
    public static string Of(IReadOnlyCollection<double> values)
    {
        var largest = values.Count < 2 ? 0 : values.Max();
        return largest <= 0 ? "" : string.Concat(values.Select(value => Bars[(int)Math.Round(Math.Max(0, value) / largest * (Bars.Length - 1))]));
    }
}

/// <summary>Rate and time left of the current phase, from its snapshots. Not safe for concurrent use.</summary>
internal sealed class RateMeter
{
    // Long enough to smooth out a slow volume, short enough to notice that the network has changed.
    private const double MemorySeconds = 10;

    private const int MostRecent = 12;

    private readonly Queue<double> recent = new();
    private RestoreProgress? last;
    private (TimeSpan Elapsed, long Bytes) sampled;

    /// <summary>Bytes of content per second, smoothed; 0 while unknown.</summary>
    public double BytesPerSecond { get; private set; }

    /// <summary>Time left at this rate, or null while unknown.</summary>
    public TimeSpan? Left { get; private set; }

    /// <summary>Bytes of content per second in each of the last seconds.</summary>
    public IReadOnlyCollection<double> Recent => recent;

    public void Observe(RestoreProgress now)
    {
        if (this.last is not { } last || last.Phase != now.Phase || now.Elapsed < last.Elapsed)
        {
            // What is in place at the first snapshot was there before, and says nothing about the rate.
            this.last = now;
            BytesPerSecond = 0;
            Left = null;
            recent.Clear();
            sampled = (now.Elapsed, now.BytesDone);
            return;
        }

        Sample(now);
        var seconds = (now.Elapsed - last.Elapsed).TotalSeconds;
        if (seconds < 0.05)
        {
            return;
        }

        var rate = Math.Max(0, now.BytesDone - last.BytesDone) / seconds;
        var weight = BytesPerSecond == 0 ? 1 : 1 - Math.Exp(-seconds / MemorySeconds);
        BytesPerSecond += weight * (rate - BytesPerSecond);
        this.last = now;
        var left = Math.Max(0, now.BytesTotal - now.BytesDone) / Math.Max(BytesPerSecond, 1);
        Left = BytesPerSecond > 0 && left < TimeSpan.FromDays(100).TotalSeconds ? TimeSpan.FromSeconds(left) : null;
    }

    private void Sample(RestoreProgress now)
    {
        var seconds = (now.Elapsed - sampled.Elapsed).TotalSeconds;
        if (seconds >= 1)
        {
            recent.Enqueue(Math.Max(0, now.BytesDone - sampled.Bytes) / seconds);
            sampled = (now.Elapsed, now.BytesDone);
            if (recent.Count > MostRecent)
            {
                recent.Dequeue();
            }
        }
    }
}
