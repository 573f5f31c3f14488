using System.Text.RegularExpressions;

namespace Restore.Cli.Options;

/// <summary>A date without a time of day, as a day from its beginning to its end.</summary>
internal static partial class WholeDay
{
    /// <summary>
    /// The last second of the day that a text names, in the same zone; null if the text is no bare
    /// date.
    /// </summary>
    public static string? EndOf(string text)
    {
        var parts = DateAndZone().Match(text.Trim());
        return parts.Success ? $"{parts.Groups["date"].Value}T23:59:59{parts.Groups["zone"].Value}" : null;
    }

    /// <summary>
    /// What a user should know who gave a bare date: the newest version of that day, which a time
    /// at its beginning does not choose; null if there is none.
    /// </summary>
    public static string? NoteOf(string text, IReadOnlyList<BackupVersion> versions, TimeProvider clock)
    {
        if (
            EndOf(text) is not { } last
            || !TimeExpression.TryParse(text, clock, out var start)
            || !TimeExpression.TryParse(last, clock, out var end)
            || versions.FirstOrDefault(version => version.Time > start && version.Time <= end) is not { } newest
        )
        {
            return null;
        }

        var local = TimeZoneInfo.ConvertTime(newest.Time, clock.LocalTimeZone);
        var time = local.ToString("yyyy-MM-dd'T'HH:mm:ss", CultureInfo.InvariantCulture);
        return $"{text.Trim()} means the beginning of that day; its newest version is --time={time}";
    }

    [GeneratedRegex(
        @"^(?<date>\d{4}-\d\d-\d\d)(?<zone>|Z|\s*(Z|UTC|GMT|[+-]\d\d(:?\d\d)?))$",
        RegexOptions.IgnoreCase | RegexOptions.CultureInvariant | RegexOptions.ExplicitCapture,
        matchTimeoutMilliseconds: 1000
    )]
    private static partial Regex DateAndZone();
}
