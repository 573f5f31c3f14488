namespace Restore.Storage;

/// <summary>
/// Rate limits by the time of day, as rclone writes them: <c>08:00,512k 19:00,10M 23:00,off</c>.
/// Each holds until the next one, the last one also before the first. A rate alone holds all day.
/// </summary>
internal sealed class RateSchedule
{
    private readonly List<(TimeOnly From, long? BytesPerSecond)> steps;

    private RateSchedule(List<(TimeOnly From, long? BytesPerSecond)> steps) => this.steps = steps;

    /// <summary>One rate for all day.</summary>
    public static RateSchedule Constant(long bytesPerSecond) => new([(TimeOnly.MinValue, bytesPerSecond)]);

    /// <returns>The schedule; null if the text is not a schedule.</returns>
    public static RateSchedule? Parse(string text)
    {
        List<(TimeOnly From, long? BytesPerSecond)> steps = [];
        string[] words = text.Split(' ', StringSplitOptions.RemoveEmptyEntries);
        foreach (string word in words)
        {
            string[] parts = word.Split(',');
            TimeOnly from = default;
            bool isTimed =
                parts.Length == 2
                && TimeOnly.TryParseExact(
                    parts[0],
                    "H:mm",
                    CultureInfo.InvariantCulture,
                    DateTimeStyles.None,
                    out from
                );
            if (
                (!isTimed && (words.Length > 1 || parts.Length > 1))
                || !TryRate(parts[^1], out long? rate)
                || (steps.Count > 0 && from <= steps[^1].From)
            )
            {
                return null;
            }

            steps.Add((from, rate));
        }

        return steps.Count > 0 ? new RateSchedule(steps) : null;
    }

    /// <summary>The limit in bytes per second at a local time; null for none.</summary>
    public long? RateAt(DateTimeOffset localTime)
    {
        TimeOnly time = TimeOnly.FromTimeSpan(localTime.TimeOfDay);
        int step = steps.FindLastIndex(step => step.From <= time);
        return steps[step < 0 ? ^1 : step].BytesPerSecond;
    }

    private static bool TryRate(string text, out long? rate)
    {
        rate = string.Equals(text, "off", StringComparison.OrdinalIgnoreCase)
            ? null
            : StoreOptionText.Bytes(text, bareUnitBytes: 1024) ?? -1;
        rate = rate == 0 ? null : rate;
        return rate is null or > 0;
    }
}
