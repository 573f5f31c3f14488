using System.CommandLine;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Numerics;
using Restore.Cli.Help;

namespace Restore.Cli.Options;

/// <summary>The kinds of options: each checks its values and names the valid ones.</summary>
internal static class Declare
{
    public static Option<bool> Flag(string name, string description, params string[] aliases) =>
        new DocumentedOption<bool>(name, aliases) { Description = description };

    public static Option<string?> Text(string name, string valueName, string? defaultText, string description, params string[] aliases) =>
        new DocumentedOption<string?>(name, aliases) { Description = description, HelpName = valueName, DefaultText = defaultText };

    public static Option<string[]> Texts(string name, string valueName, string description) =>
        new DocumentedOption<string[]>(name, []) { Description = description, HelpName = valueName };

    public static Option<int?> Count(string name, int lowest, int highest, string defaultText, string description, params string[] aliases)
    {
        var range = string.Create(CultureInfo.InvariantCulture, $"{lowest} to {highest}");
        return Parsed<int?>(name, "N", defaultText, range, description, aliases, text =>
            int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var value) && value >= lowest && value <= highest
                ? (value, null)
                : (null, CannotBeUsed(text, $"a whole number from {range}")));
    }

    /// <summary>A number that is brought into its range, as Duplicati does it.</summary>
    public static Option<int?> CountWithin(string name, int lowest, int highest, string defaultText, string description, params string[] aliases)
    {
        var range = string.Create(CultureInfo.InvariantCulture, $"{lowest} to {highest}; any other number counts as the nearest");
        return Parsed<int?>(name, "N", defaultText, range, description, aliases, text =>
            BigInteger.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var value)
                ? ((int)BigInteger.Clamp(value, lowest, highest), null)
                : (null, CannotBeUsed(text, "a whole number")));
    }

    /// <summary>A size; <paramref name="unit"/> is the unit of a bare number, as in Duplicati.</summary>
    public static Option<long?> Size(string name, string unit, string lowest, string highest, string defaultText, string description)
    {
        var range = $"{lowest} to {highest}";
        return Parsed<long?>(name, "SIZE", defaultText, range, description, [], text =>
            SizeExpression.TryParse(text, unit, out var bytes) && bytes >= Bytes(lowest) && bytes <= Bytes(highest)
                ? (bytes, null)
                : (null, CannotBeUsed(text, $"a size from {range}, such as 50mb (a bare number counts {unit})")));
    }

    public static Option<T?> Word<T>(string name, string defaultText, string description)
        where T : struct, Enum
    {
        var words = Enum.GetNames<T>().Select(word => word.ToLowerInvariant()).ToArray();
        return Parsed<T?>(name, string.Join('|', words), defaultText, null, description, [], text =>
            Array.IndexOf(words, text.ToLowerInvariant()) is var index and >= 0
                ? (Enum.GetValues<T>()[index], null)
                : (null, CannotBeUsed(text, $"one of {string.Join(", ", words)}")));
    }

    public static Option<decimal?> Price(string name, string description) =>
        Parsed<decimal?>(name, "PRICE", null, null, description, [], text =>
            decimal.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var price) && price <= 1_000_000
                ? (price, null)
                : (null, CannotBeUsed(text, "a price such as 0.09")));

    /// <summary>A share, as a percentage; the value is from 0 to 1.</summary>
    public static Option<double?> Percent(string name, string defaultText, string description) =>
        Parsed<double?>(name, "PERCENT", defaultText, null, description, [], text =>
            double.TryParse(text.TrimEnd().TrimEnd('%').TrimEnd(), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var percent)
                && percent is > 0 and <= 100
                ? (percent / 100, null)
                : (null, CannotBeUsed(text, "a share above 0% and up to 100%, such as 5%")));

    public static Option<VersionNumbers?> Versions(string name, string defaultText, string description) =>
        Parsed<VersionNumbers?>(name, "N", defaultText, null, description, [], text =>
            VersionExpression.TryParseAll(text, out var numbers, out var error) ? (numbers, null) : (null, error));

    public static Option<RetentionPolicy?> Policy(string name, string description) =>
        Parsed<RetentionPolicy?>(name, "POLICY", null, null, description, [], text =>
            RetentionPolicy.TryParse(text, out var policy, out var error) ? (policy, null) : (null, error));

    public static Option<DateTimeOffset?> Time(string name, TimeProvider clock, string description) =>
        Parsed<DateTimeOffset?>(name, "TIME", null, null, description, [], text => TimeExpression.TryParse(text, clock, out var time)
            ? (time, null)
            : (null, CannotBeUsed(text, "a time such as now, 2026-01-31, 2026-01-31T23:59, 20260131T235959Z or 2W (two weeks ago)")));

    private static string CannotBeUsed(string text, string wanted) => $"'{text}' cannot be used; give {wanted}";

    private static long Bytes(string size) => SizeExpression.TryParse(size, "b", out var bytes) ? bytes : throw new ArgumentException(size, nameof(size));

    private static Option<T> Parsed<T>(
        string name, string valueName, string? defaultText, string? range, string description, string[] aliases,
        Func<string, (T Value, string? Error)> parse) =>
        new DocumentedOption<T>(name, aliases)
        {
            Description = description,
            HelpName = valueName,
            DefaultText = defaultText,
            Range = range,
            CustomParser = result =>
            {
                var (value, error) = parse(result.Tokens[0].Value);
                if (error is not null)
                {
                    result.AddError($"{name}: {error}");
                }

                return value;
            },
        };
}

internal class OptionGroup(string title, IReadOnlyList<Option> options, Func<HostRequest, CommandLine, HostRequest>? apply = null)
{
    protected OptionGroup()
        : this("", [])
    {
    }

    public virtual string Title => title;

    /// <summary>Whether most commands take these options, so that the help of a command only names the page that describes them.</summary>
    public bool IsGeneral { get; init; }

    public virtual IReadOnlyList<Option> Options => options;

    public virtual HostRequest Apply(HostRequest request, CommandLine line) => apply?.Invoke(request, line) ?? request;
}

internal interface IDocumentedOption
{
    string? DefaultText { get; }
    string? Range { get; }
}

internal sealed class DocumentedOption<T>(string name, string[] aliases) : Option<T>(name, aliases), IDocumentedOption
{
    public string? DefaultText { get; init; }

    public string? Range { get; init; }
}

/// <summary>Values of options that are on or off: <c>--overwrite</c> alone is on, <c>--overwrite=false</c> is off.</summary>
internal static class BooleanExpression
{
    /// <summary>Parses a value; no value means on. Duplicati reads any other word as on; here it is refused.</summary>
    public static bool TryParse(string? text, out bool value)
    {
        string word = (text ?? "").Trim().ToLowerInvariant();
        value = word is "" or "1" or "on" or "true" or "yes";
        return value || word is "0" or "off" or "false" or "no";
    }
}

/// <summary>Sizes as in Duplicati's options: a whole number and a unit of 1024, <c>50mb</c> (b, kb, mb, gb, tb; kib and so on are the same).</summary>
internal static class SizeExpression
{
    /// <summary>The default unit is that of a bare number: b, kb, mb, gb or tb. False if the text is not a size, or is negative or too large.</summary>
    public static bool TryParse(string text, string defaultUnit, out long bytes)
    {
        ReadOnlySpan<char> trimmed = text.AsSpan().Trim();
        int digits = trimmed.IndexOfAnyExceptInRange('0', '9');
        ReadOnlySpan<char> number = digits < 0 ? trimmed : trimmed[..digits];
        ReadOnlySpan<char> unit = digits < 0 ? defaultUnit : trimmed[digits..].TrimStart();
        bytes = 0;
        if (!long.TryParse(number, NumberStyles.None, CultureInfo.InvariantCulture, out long count)
            || !TryShift(unit, out int shift)
            || count > long.MaxValue >> shift)
        {
            return false;
        }

        bytes = count << shift;
        return true;
    }

    private static bool TryShift(ReadOnlySpan<char> unit, out int shift)
    {
        Span<char> lower = stackalloc char[3];
        int length = unit.ToLowerInvariant(lower);
        shift = length < 0 ? -1 : lower[..length] switch
        {
            "b" => 0,
            "kb" or "kib" => 10,
            "mb" or "mib" => 20,
            "gb" or "gib" => 30,
            "tb" or "tib" => 40,
            _ => -1,
        };
        return shift >= 0;
    }
}

internal sealed record VersionNumbers(string Text, IReadOnlyList<(int First, int Last)> Ranges)
{
    /// <summary>The numbers, each once; the first unknown one is among them, so that it can be named.</summary>
    public IReadOnlyList<int> Expand(int count) =>
        [.. Ranges.SelectMany(range => Enumerable.Range(range.First, Math.Max(0, Math.Min(range.Last, count) - range.First + 1))
            .DefaultIfEmpty(range.First)).Distinct()];
}

/// <summary>The value of <c>--version</c>: Duplicati takes lists and ranges (<c>0,2-4,7</c>); a restore accepts those that name one version.</summary>
internal static class VersionExpression
{
    public static bool TryParse(string text, out int index, out string? error)
    {
        if (TryParseAll(text, out VersionNumbers? numbers, out error))
        {
            error = TryGetOne(numbers, out index) ? null : SeveralIn(numbers);
            return error is null;
        }

        index = -1;
        return false;
    }

    public static bool TryParseAll(string text, [NotNullWhen(true)] out VersionNumbers? numbers, out string? error)
    {
        List<(int First, int Last)> ranges = [];
        (numbers, error) = (null, null);
        foreach (string part in text.Split(',', StringSplitOptions.TrimEntries))
        {
            if (!TryParseRange(part, out int first, out int last))
            {
                error = $"'{text}' is not a version number; 0 is the newest version, 1 the one before it";
                return false;
            }

            ranges.Add((Math.Min(first, last), Math.Max(first, last)));
        }

        numbers = new VersionNumbers(text, ranges);
        return true;
    }

    public static bool TryGetOne(VersionNumbers numbers, out int index)
    {
        int first = index = numbers.Ranges[0].First;
        return numbers.Ranges.All(range => range.First == first && range.Last == first);
    }

    public static string SeveralIn(VersionNumbers numbers) => $"'{numbers.Text}' names several versions; a restore takes one";

    private static bool TryParseRange(string part, out int first, out int last)
    {
        int dash = part.IndexOf('-', StringComparison.Ordinal);
        ReadOnlySpan<char> left = dash < 0 ? part : part.AsSpan(0, dash).Trim();
        ReadOnlySpan<char> right = dash < 0 ? part : part.AsSpan(dash + 1).Trim();
        last = 0;
        return int.TryParse(left, NumberStyles.None, CultureInfo.InvariantCulture, out first)
            && int.TryParse(right, NumberStyles.None, CultureInfo.InvariantCulture, out last);
    }
}
