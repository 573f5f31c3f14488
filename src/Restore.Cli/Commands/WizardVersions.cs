using System.Text.RegularExpressions;

namespace Restore.Cli.Commands;

/// <summary>The versions that the guide lists, and what an answer to its question means.</summary>
/// <param name="list">What the command <c>versions</c> prints for a person.</param>
internal sealed partial class WizardVersions(string list)
{
    public const string LastGood = "g";

    private readonly string[] lines = list.Split('\n', StringSplitOptions.RemoveEmptyEntries);

    public int Count => lines.Length;

    /// <summary>
    /// What the list says about an attack, in words; null if the newest version is not suspect.
    /// </summary>
    public string? Warning
    {
        get
        {
            if (Count == 0 || !lines[0].Contains("(suspect)", StringComparison.Ordinal))
            {
                return null;
            }

            var good = Array.FindIndex(lines, line => line.Contains("(newest good)", StringComparison.Ordinal));
            return "Warning: Version 0 is suspect: it looks as after an attack or an accident. "
                + (good < 0 ? "" : $"Version {good} is the newest good one, and ")
                + $"{LastGood} takes each file from its newest version in which it is not suspect";
        }
    }

    /// <summary>The line with a version as an answer means it; null if there is no such version.</summary>
    /// <param name="line">The answers before.</param>
    /// <param name="answer">A number, a time, or <see cref="LastGood"/>.</param>
    /// <param name="clock">The clock and the zone of times.</param>
    public WizardLine? With(WizardLine line, string answer, TimeProvider clock)
    {
        if (answer is "" or "0")
        {
            return line;
        }

        if (answer == LastGood)
        {
            return line with { LastGood = true };
        }

        // Eight digits are meant as a date.
        if (IsNumber(answer, out var number))
        {
            return number < Count ? line with { Version = answer } : null;
        }

        // A person who names a day means the whole day.
        var time = WholeDay.EndOf(answer) ?? answer;
        return TimeExpression.TryParse(time, clock, out _) ? line with { Time = time } : null;
    }

    /// <summary>What to say about an answer that means no version.</summary>
    public string Refusal(string answer) =>
        IsNumber(answer, out _)
            ? $"There is no version {answer}: the oldest is {Count - 1}"
            : $"There is no version {answer}: give a number from 0 to {Count - 1}, or a date such as 2026-01-31";

    private static bool IsNumber(string answer, out int number)
    {
        number = -1;
        return ShortNumber().IsMatch(answer)
            && int.TryParse(answer, NumberStyles.None, CultureInfo.InvariantCulture, out number);
    }

    [GeneratedRegex(@"^\d{1,7}$", RegexOptions.CultureInvariant, matchTimeoutMilliseconds: 1000)]
    private static partial Regex ShortNumber();
}
