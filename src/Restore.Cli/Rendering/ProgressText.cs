namespace Restore.Cli.Rendering;

internal static class ProgressText
{
    // A volume that is decoded, or an answer from the other end of the world, takes less.
    private static readonly TimeSpan Silence = TimeSpan.FromSeconds(3);

    /// <summary>Less important parts are left out until the line fits the width.</summary>
    public static string Describe(RestoreProgress progress, RateMeter rate, bool verifyOnly, int width = int.MaxValue)
    {
        var name = Name(progress.Phase, verifyOnly);
        var curve = width < int.MaxValue ? Sparkline.Of(rate.Recent) : "";
        List<string> parts = [.. Parts(progress, rate, verifyOnly, curve)];
        while (true)
        {
            var line = parts.Count == 0 ? name : $"{name}: {string.Join(", ", parts)}";
            if (line.Length <= width || parts.Count <= 1)
            {
                return line;
            }

            // Parts in order of increasing importance: what is done first, what people wait for last. The rate stays longer than its curve.
            if (curve.Length > 0 && parts[1].StartsWith(curve, StringComparison.Ordinal))
            {
                parts[1] = parts[1][(curve.Length + 1)..];
            }
            else
            {
                parts.RemoveAt(1);
            }
        }
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

        if (progress.Phase == RestorePhase.Restoring && rate.BytesPerSecond > 0)
        {
            yield return drawn.Length > 0 ? $"{drawn} {Units.Rate(rate.BytesPerSecond)}" : Units.Rate(rate.BytesPerSecond);
        }

        if (progress.Phase == RestorePhase.Restoring && rate.Left is { } left)
        {
            yield return Units.Duration(left) + " left";
        }

        if (State(progress, rate.Still) is { } state)
        {
            yield return state;
        }
    }

    /// <summary>What the run waits for, when nothing has moved for a while.</summary>
    private static string? State(RestoreProgress progress, TimeSpan still) =>
        progress.Retry is { } retry ? $"waiting for {retry.Location}, attempt {retry.Attempt} of {retry.Attempts}: {retry.Reason}"
        : still < Silence || progress.Phase == RestorePhase.Done ? null
        : progress.OpenRequests > 0 ? $"nothing has come from the store for {Units.Duration(still)}"
        : progress.Phase == RestorePhase.Restoring ? $"everything asked for has come, decoding and writing for {Units.Duration(still)}"
        : $"working for {Units.Duration(still)}";

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
        RestorePhase.WaitingForShard => "Waiting for another process that does this part",
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
    private TimeSpan moved;

    /// <summary>Bytes fetched per second, or of content if nothing is to fetch; smoothed, 0 while unknown.</summary>
    public double BytesPerSecond { get; private set; }

    /// <summary>How long nothing has moved.</summary>
    public TimeSpan Still { get; private set; }

    /// <summary>Time left at this rate, or null while unknown.</summary>
    public TimeSpan? Left { get; private set; }

    /// <summary>The bytes per second in each of the last seconds.</summary>
    public IReadOnlyCollection<double> Recent => recent;

    public void Observe(RestoreProgress now)
    {
        if (this.last is not { } last || last.Phase != now.Phase || now.Elapsed < last.Elapsed || (last.BytesToFetch == 0) != (now.BytesToFetch == 0))
        {
            // What is in place at the first snapshot was there before, and says nothing about the rate.
            this.last = now;
            BytesPerSecond = 0;
            Left = null;
            recent.Clear();
            sampled = (now.Elapsed, Bytes(now));
            (moved, Still) = (now.Elapsed, TimeSpan.Zero);
            return;
        }

        Sample(now);
        moved = Position(now) == Position(last) ? moved : now.Elapsed;
        Still = now.Elapsed - moved;
        var seconds = (now.Elapsed - last.Elapsed).TotalSeconds;
        if (seconds < 0.05)
        {
            return;
        }

        var rate = Math.Max(0, Bytes(now) - Bytes(last)) / seconds;
        var weight = BytesPerSecond == 0 ? 1 : 1 - Math.Exp(-seconds / MemorySeconds);
        BytesPerSecond += weight * (rate - BytesPerSecond);
        this.last = now;
        var toCome = now.BytesToFetch > 0 ? now.BytesToFetch - now.BytesFetched : now.BytesTotal - now.BytesDone;
        var left = Math.Max(0, toCome) / Math.Max(BytesPerSecond, 1);
        Left = BytesPerSecond > 0 && toCome >= 0 && left < TimeSpan.FromDays(100).TotalSeconds ? TimeSpan.FromSeconds(left) : null;
    }

    private static long Bytes(RestoreProgress progress) => progress.BytesToFetch > 0 ? progress.BytesFetched : progress.BytesDone;

    private static (long, long, long, int) Position(RestoreProgress progress) =>
        (progress.BytesFetched, progress.BytesDone, progress.FilesDone, progress.VolumesDone);

    private void Sample(RestoreProgress now)
    {
        var seconds = (now.Elapsed - sampled.Elapsed).TotalSeconds;
        if (seconds >= 1)
        {
            recent.Enqueue(Math.Max(0, Bytes(now) - sampled.Bytes) / seconds);
            sampled = (now.Elapsed, Bytes(now));
            if (recent.Count > MostRecent)
            {
                recent.Dequeue();
            }
        }
    }
}
