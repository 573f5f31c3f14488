using System.Numerics;

namespace Restore.Cli.Options;

/// <summary>The kinds of options: each checks its values and names the valid ones.</summary>
internal static class Declare
{
    public static RestoreOption<bool> Flag(string name, string description, params string[] aliases) =>
        new(name, description, aliases, text => (text == "true", null));

    /// <summary>A switch that takes words too. Its value is true, false or one of them.</summary>
    public static RestoreOption<string> FlagOr(string name, IReadOnlyList<string> words, string description) =>
        new(name, description, [], text => (text, null)) { OtherWords = words };

    /// <summary>
    /// A text that is not empty. An empty value is rarely intended: a script passes one if its
    /// variable is not set.
    /// </summary>
    public static RestoreOption<string?> Text(
        string name,
        string valueName,
        string? defaultText,
        string description,
        params string[] aliases
    ) =>
        new(name, description, aliases, text => text.Length > 0 ? (text, null) : (null, "the value is empty"))
        {
            HelpName = valueName,
            DefaultText = defaultText,
        };

    /// <summary>A text. An empty one is treated as if the option was not given.</summary>
    public static RestoreOption<string?> TextOrNone(
        string name,
        string valueName,
        string defaultText,
        string description,
        params string[] aliases
    ) => new(name, description, aliases, text => (text, null)) { HelpName = valueName, DefaultText = defaultText };

    public static RestoreOption<string> Texts(string name, string valueName, string description) =>
        new(name, description, [], text => (text, null)) { HelpName = valueName, IsRepeatable = true };

    public static RestoreOption<int?> Count(
        string name,
        int lowest,
        int highest,
        string defaultText,
        string description,
        params string[] aliases
    )
    {
        var range = string.Create(CultureInfo.InvariantCulture, $"{lowest} to {highest}");
        return Parsed<int?>(
            name,
            "N",
            defaultText,
            range,
            description,
            aliases,
            text =>
                int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var value)
                && value >= lowest
                && value <= highest
                    ? (value, null)
                    : (null, CannotBeUsed(text, $"a whole number from {range}"))
        );
    }

    /// <summary>A number that is brought into its range, as Duplicati does it.</summary>
    public static RestoreOption<int?> CountWithin(
        string name,
        int lowest,
        int highest,
        string defaultText,
        string description,
        params string[] aliases
    )
    {
        var range = string.Create(
            CultureInfo.InvariantCulture,
            $"{lowest} to {highest}; any other number counts as the nearest"
        );
        return Parsed<int?>(
            name,
            "N",
            defaultText,
            range,
            description,
            aliases,
            text =>
                BigInteger.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var value)
                    ? ((int)BigInteger.Clamp(value, lowest, highest), null)
                    : (null, CannotBeUsed(text, "a whole number"))
        );
    }

    /// <summary>
    /// A size; <paramref name="unit"/> is the unit of a bare number, as in Duplicati.
    /// </summary>
    public static RestoreOption<long?> Size(
        string name,
        string unit,
        string lowest,
        string highest,
        string defaultText,
        string description
    )
    {
        var range = $"{lowest} to {highest}";
        return Parsed<long?>(
            name,
            "SIZE",
            defaultText,
            range,
            description,
            [],
            text =>
                SizeExpression.TryParse(text, unit, out var bytes) && bytes >= Bytes(lowest) && bytes <= Bytes(highest)
                    ? (bytes, null)
                    : (null, CannotBeUsed(text, $"a size from {range}, such as 50mb (a bare number counts {unit})"))
        );
    }

    public static RestoreOption<T?> Word<T>(string name, string defaultText, string description)
        where T : struct, Enum
    {
        var words = Enum.GetNames<T>().Select(word => word.ToLowerInvariant()).ToArray();
        return Parsed<T?>(
            name,
            string.Join('|', words),
            defaultText,
            null,
            description,
            [],
            text =>
                Array.IndexOf(words, text.ToLowerInvariant()) is var index and >= 0
                    ? (Enum.GetValues<T>()[index], null)
                    : (null, CannotBeUsed(text, $"one of {string.Join(", ", words)}"))
        );
    }

    /// <summary>
    /// A length of time as in Duplicati, such as 90s or 1h30m; a bare number counts seconds.
    /// </summary>
    public static RestoreOption<TimeSpan?> Span(string name, string defaultText, string description) =>
        Parsed<TimeSpan?>(
            name,
            "TIME",
            defaultText,
            null,
            description,
            [],
            text =>
                SpanExpression.TryParse(text, out var span)
                    ? (span, null)
                    : (null, CannotBeUsed(text, "a time such as 90s, 5m or 1h30m, at most 30 days"))
        );

    /// <summary>Paths, separated as in the variable PATH.</summary>
    public static RestoreOption<IReadOnlyList<string>> Paths(string name, string description) =>
        Parsed<IReadOnlyList<string>>(
            name,
            "PATHS",
            null,
            null,
            description,
            [],
            text =>
                (
                    text.Split(
                        Path.PathSeparator,
                        StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries
                    ),
                    null
                )
        );

    public static RestoreOption<decimal?> Price(string name, string description) =>
        Parsed<decimal?>(
            name,
            "PRICE",
            null,
            null,
            description,
            [],
            text =>
                decimal.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var price)
                && price <= 1_000_000
                    ? (price, null)
                    : (null, CannotBeUsed(text, "a price such as 0.09"))
        );

    /// <summary>A share, as a percentage; the value is from 0 to 1.</summary>
    public static RestoreOption<double?> Percent(string name, string defaultText, string description) =>
        Parsed<double?>(
            name,
            "PERCENT",
            defaultText,
            null,
            description,
            [],
            text =>
                double.TryParse(
                    text.TrimEnd().TrimEnd('%').TrimEnd(),
                    NumberStyles.AllowDecimalPoint,
                    CultureInfo.InvariantCulture,
                    out var percent
                ) && percent is > 0 and <= 100
                    ? (percent / 100, null)
                    : (null, CannotBeUsed(text, "a share above 0% and up to 100%, such as 5%"))
        );

    public static RestoreOption<VersionNumbers?> Versions(string name, string defaultText, string description) =>
        Parsed<VersionNumbers?>(
            name,
            "N",
            defaultText,
            null,
            description,
            [],
            text =>
                VersionExpression.TryParseAll(text, out var numbers, out var error) ? (numbers, null) : (null, error)
        );

    public static RestoreOption<RetentionPolicy?> Policy(string name, string description) =>
        Parsed<RetentionPolicy?>(
            name,
            "POLICY",
            null,
            null,
            description,
            [],
            text => RetentionPolicy.TryParse(text, out var policy, out var error) ? (policy, null) : (null, error)
        );

    public static RestoreOption<DateTimeOffset?> Time(string name, TimeProvider clock, string description) =>
        Parsed<DateTimeOffset?>(
            name,
            "TIME",
            null,
            null,
            description,
            [],
            text =>
                TimeExpression.TryParse(text, clock, out var time)
                    ? (time, null)
                    : (
                        null,
                        CannotBeUsed(
                            text,
                            "a time such as now, 2026-01-31, 2026-01-31T23:59, 20260131T235959Z or 2W (two weeks ago)"
                        )
                    )
        );

    private static string CannotBeUsed(string text, string wanted) => $"'{text}' cannot be used; give {wanted}";

    private static long Bytes(string size) =>
        SizeExpression.TryParse(size, "b", out var bytes) ? bytes : throw new ArgumentException(size, nameof(size));

    private static RestoreOption<T> Parsed<T>(
        string name,
        string valueName,
        string? defaultText,
        string? range,
        string description,
        string[] aliases,
        Func<string, (T Value, string? Error)> parse
    ) =>
        new(name, description, aliases, parse)
        {
            HelpName = valueName,
            DefaultText = defaultText,
            Range = range,
        };
}
