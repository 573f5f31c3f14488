using System.Globalization;

namespace Restore.Storage;

/// <summary>
/// The options of a store by Duplicati's names, read as the types they stand for. A value that cannot be used is a usage error that names the option,
/// never the value of a secret.
/// </summary>
internal sealed class StoreOptions
{
    private readonly Dictionary<string, string> values;

    public StoreOptions(IEnumerable<KeyValuePair<string, string>> options)
    {
        values = new Dictionary<string, string>(StringComparer.OrdinalIgnoreCase);
        foreach ((string name, string value) in options)
        {
            values[name] = value;
        }
    }

    /// <summary>The text of an option; null when it is not given or empty.</summary>
    public string? Text(string name) => values.TryGetValue(name, out string? value) && value.Length > 0 ? value : null;

    public bool IsGiven(string name) => values.ContainsKey(name);

    /// <summary>A switch: given without a value it is on.</summary>
    public bool Flag(string name, bool defaultValue = false)
    {
        if (!values.TryGetValue(name, out string? value))
        {
            return defaultValue;
        }

        return value.ToLowerInvariant() switch
        {
            "" or "true" or "1" or "on" or "yes" => true,
            "false" or "0" or "off" or "no" => false,
            _ => throw Unusable(name, value, "true or false"),
        };
    }

    public int Count(string name, int defaultValue, int maximum)
    {
        if (Text(name) is not { } text)
        {
            return defaultValue;
        }

        bool usable = int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int count) && count <= maximum;
        return usable ? count : throw Unusable(name, text, string.Create(CultureInfo.InvariantCulture, $"a number from 0 to {maximum}"));
    }

    /// <summary>A time span as Duplicati writes it: <c>10s</c>, <c>1m30s</c>, <c>2h</c>, <c>0:00:10</c>; also <c>250ms</c>. At most a week.</summary>
    public TimeSpan Duration(string name, TimeSpan defaultValue)
    {
        if (Text(name) is not { } text)
        {
            return defaultValue;
        }

        TimeSpan? duration = text.Contains(':')
            ? TimeSpan.TryParse(text, CultureInfo.InvariantCulture, out TimeSpan colons) ? colons : null
            : SumOfUnits(text);
        return duration is { } usable && usable >= TimeSpan.Zero && usable <= TimeSpan.FromDays(7)
            ? usable
            : throw Unusable(name, text, "a time such as 10s, 1m30s or 0:00:10");
    }

    /// <summary>A size as Duplicati writes it: <c>500kb</c>, <c>10mb</c>; a bare number takes <paramref name="bareUnitBytes"/>.</summary>
    public long? Bytes(string name, long bareUnitBytes)
    {
        if (Text(name) is not { } text)
        {
            return null;
        }

        int digits = text.AsSpan().TrimEnd("kmgtbKMGTB ").Length;
        long? unit = text[digits..].Trim().ToLowerInvariant() switch
        {
            "" => bareUnitBytes,
            "b" => 1,
            "kb" or "k" => 1L << 10,
            "mb" or "m" => 1L << 20,
            "gb" or "g" => 1L << 30,
            _ => null,
        };
        bool usable = decimal.TryParse(text.AsSpan(0, digits), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out decimal number);
        return usable && unit is { } factor && number <= long.MaxValue / factor / 2
            ? (long)(number * factor)
            : throw Unusable(name, text, "a size such as 500kb or 10mb");
    }

    public static RestoreException Unusable(string name, string value, string expected) =>
        new(RestoreErrorKind.Usage, $"The option --{name} is {expected}, not '{value}'");

    private static TimeSpan? SumOfUnits(string text)
    {
        TimeSpan sum = TimeSpan.Zero;
        ReadOnlySpan<char> rest = text;
        while (rest.Length > 0)
        {
            int digits = rest.IndexOfAnyExceptInRange('0', '9') is >= 0 and int end ? end : rest.Length;
            if (!int.TryParse(rest[..digits], NumberStyles.None, CultureInfo.InvariantCulture, out int number))
            {
                return null;
            }

            rest = rest[digits..];
            int letters = rest.IndexOfAnyInRange('0', '9') is >= 0 and int next ? next : rest.Length;
            TimeSpan? unit = rest[..letters] switch
            {
                "ms" => TimeSpan.FromMilliseconds(1),
                "" or "s" => TimeSpan.FromSeconds(1),
                "m" => TimeSpan.FromMinutes(1),
                "h" => TimeSpan.FromHours(1),
                "D" => TimeSpan.FromDays(1),
                "W" => TimeSpan.FromDays(7),
                _ => null,
            };
            if (unit is null || number > TimeSpan.FromDays(30) / unit.Value)
            {
                return null;
            }

            sum += number * unit.Value;
            rest = rest[letters..];
        }

        return sum;
    }
}
