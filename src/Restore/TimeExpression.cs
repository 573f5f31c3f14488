using System.Text.RegularExpressions;

namespace Restore;

/// <summary>
/// Points in time as in the option <c>time</c>: <c>now</c>, <c>20260131T235959Z</c>, ISO dates and
/// times (<c>2026-01-31</c>, <c>2026-01-31T23:59</c>, local unless they end in Z, UTC or an offset,
/// also after a space), the name of a file list, and spans before now (<c>2D</c>, <c>-2D</c>,
/// <c>1W3D</c>, <c>90m ago</c>).
/// </summary>
public static partial class TimeExpression
{
    private static readonly string[] AbsoluteFormats =
    [
        "yyyyMMdd'T'HHmmssK",
        "yyyy-MM-dd",
        "yyyy-MM-ddK",
        "yyyy-MM-dd'T'HH:mmK",
        "yyyy-MM-dd'T'HH:mm:ssK",
        "yyyy-MM-dd'T'HH:mm:ss.FFFFFFFK",
        "yyyy-MM-dd HH:mmK",
        "yyyy-MM-dd HH:mm:ssK",
        "yyyy-MM-dd HH:mm:ss.FFFFFFFK",
        "yyyy-MM-dd'T'HH-mm-ssK",
    ];

    /// <summary>Parses a point in time.</summary>
    /// <param name="text">The expression.</param>
    /// <param name="timeProvider">The clock and the time zone.</param>
    /// <param name="time">The point in time.</param>
    /// <returns>False if the expression has none of the forms, or is out of range.</returns>
    public static bool TryParse(string text, TimeProvider timeProvider, out DateTimeOffset time)
    {
        ArgumentNullException.ThrowIfNull(text);
        ArgumentNullException.ThrowIfNull(timeProvider);
        string trimmed = text.Trim();
        if (trimmed.Equals("now", StringComparison.OrdinalIgnoreCase))
        {
            time = timeProvider.GetUtcNow();
            return true;
        }

        if (VolumeName.TryParse(trimmed, out VolumeName volume) && volume.Kind == VolumeKind.FileList)
        {
            time = volume.Time;
            return true;
        }

        TimeZoneInfo localZone = timeProvider.LocalTimeZone;
        return TryParseAbsolute(trimmed, localZone, out time)
            || (WithZone(trimmed) is string other && TryParseAbsolute(other, localZone, out time))
            || TryParseSpanBeforeNow(trimmed, timeProvider, out time);
    }

    /// <summary>
    /// Parses a span such as <c>1W3D</c>. As in Duplicati since March 2025 a month has 30 days and
    /// a year 365, so 12 months are 360 days.
    /// </summary>
    internal static bool TryParseSpan(string text, out TimeSpan span)
    {
        DateTimeOffset end = DateTimeOffset.MinValue;
        bool isSpan = TryMove(ref end, text, back: false, hasCalendar: false);
        span = end - DateTimeOffset.MinValue;
        return isSpan;
    }

    /// <summary>
    /// A time in ISO form, converted from the forms in which programs print it: with a space before
    /// the zone, with UTC in letters, or with an offset without a colon or minutes. Null if the
    /// text has none of these forms.
    /// </summary>
    private static string? WithZone(string text)
    {
        Match parts = TimeAndZone().Match(text);
        string zone = parts.Groups["zone"].Value.ToUpperInvariant();
        return !parts.Success
            ? null
            : parts.Groups["clock"].Value.ToUpperInvariant()
                + zone switch
                {
                    "Z" or "UTC" or "GMT" => "Z",
                    [var sign, var tens, var ones] => $"{sign}{tens}{ones}:00",
                    [_, _, _, ':', ..] => zone,
                    _ => $"{zone[..3]}:{zone[3..]}",
                };
    }

    [GeneratedRegex(
        @"^(?<clock>\d{4}-?\d\d-?\d\d[T ]\d\d.*?\d|\d{4}-\d\d-\d\d(?=\s))\s*(?<zone>Z|UTC|GMT|[+-]\d\d(:?\d\d)?)$",
        RegexOptions.IgnoreCase | RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture,
        matchTimeoutMilliseconds: 1000
    )]
    private static partial Regex TimeAndZone();

    private static bool TryParseAbsolute(string text, TimeZoneInfo localZone, out DateTimeOffset time)
    {
        time = default;

        // RoundtripKind distinguishes "no zone was given" from "UTC". An offset becomes the
        // process's local time, so the text is parsed a second time.
        if (
            !DateTime.TryParseExact(
                text,
                AbsoluteFormats,
                CultureInfo.InvariantCulture,
                DateTimeStyles.RoundtripKind,
                out DateTime clock
            )
        )
        {
            return false;
        }

        if (clock.Kind != DateTimeKind.Unspecified)
        {
            return DateTimeOffset.TryParseExact(
                text,
                AbsoluteFormats,
                CultureInfo.InvariantCulture,
                DateTimeStyles.None,
                out time
            );
        }

        TimeSpan offset = localZone.GetUtcOffset(clock);
        long utcTicks = clock.Ticks - offset.Ticks;
        if (utcTicks < DateTimeOffset.MinValue.Ticks || utcTicks > DateTimeOffset.MaxValue.Ticks)
        {
            return false;
        }

        time = new DateTimeOffset(clock, offset);
        return true;
    }

    private static bool TryParseSpanBeforeNow(string text, TimeProvider timeProvider, out DateTimeOffset time)
    {
        time = timeProvider.GetLocalNow();
        ReadOnlySpan<char> rest = text;
        if (rest.EndsWith(" ago", StringComparison.OrdinalIgnoreCase))
        {
            rest = rest[..^4].TrimEnd();
        }

        return TryMove(ref time, rest.StartsWith('-') ? rest[1..] : rest, back: true);
    }

    private static bool TryMove(ref DateTimeOffset time, ReadOnlySpan<char> rest, bool back, bool hasCalendar = true)
    {
        if (rest.IsEmpty)
        {
            return false;
        }

        while (!rest.IsEmpty)
        {
            int digits = rest.IndexOfAnyExceptInRange('0', '9');

            // A bare number is refused: Duplicati reads it as seconds in the future.
            if (
                digits <= 0
                || !int.TryParse(rest[..digits], NumberStyles.None, CultureInfo.InvariantCulture, out int count)
                || !TryMove(ref time, back ? -count : count, rest[digits], hasCalendar)
            )
            {
                return false;
            }

            rest = rest[(digits + 1)..];
        }

        return true;
    }

    private static bool TryMove(ref DateTimeOffset time, int count, char unit, bool hasCalendar)
    {
        try
        {
            DateTimeOffset? moved = unit switch
            {
                's' or 'S' => time.AddSeconds(count),
                'm' => time.AddMinutes(count),
                'h' or 'H' => time.AddHours(count),
                'D' or 'd' => time.AddDays(count),
                'W' or 'w' => time.AddDays(7.0 * count),
                'M' => hasCalendar ? time.AddMonths(count) : time.AddDays(30.0 * count),
                'Y' or 'y' => hasCalendar ? time.AddYears(count) : time.AddDays(365.0 * count),
                _ => null,
            };
            time = moved ?? time;
            return moved is not null;
        }
        catch (ArgumentOutOfRangeException)
        {
            // Before the year 1, or after the year 9999.
            return false;
        }
    }
}
