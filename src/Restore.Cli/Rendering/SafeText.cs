namespace Restore.Cli.Rendering;

/// <summary>Makes a name from a backup safe to print: characters that could control a terminal or break a line become escapes.</summary>
internal static class SafeText
{
    public static string Escape(string text)
    {
        var first = FirstUnsafe(text);
        if (first < 0)
        {
            return text;
        }

        var safe = new StringBuilder(text, 0, first, text.Length + 16);
        for (var i = first; i < text.Length; i++)
        {
            if (char.IsSurrogatePair(text, i))
            {
                safe.Append(text, i++, 2);
            }
            else if (IsUnsafe(text[i]))
            {
                safe.Append(CultureInfo.InvariantCulture, $"\\u{(int)text[i]:X4}");
            }
            else
            {
                safe.Append(text[i]);
            }
        }

        return safe.ToString();
    }

    private static int FirstUnsafe(string text)
    {
        for (var i = 0; i < text.Length; i++)
        {
            if (char.IsSurrogate(text[i]) || IsUnsafe(text[i]))
            {
                return i;
            }
        }

        return -1;
    }

    // Format characters include those that reverse the direction of writing, which can make "txt.exe" look like "exe.txt".
    private static bool IsUnsafe(char character) => char.GetUnicodeCategory(character) is
        UnicodeCategory.Control or UnicodeCategory.Format or UnicodeCategory.LineSeparator or UnicodeCategory.ParagraphSeparator or UnicodeCategory.Surrogate;
}

/// <summary>Words as a shell reads them.</summary>
internal static class ShellText
{
    public static string Quoted(string argument) =>
        argument.Length > 0 && argument.All(letter => char.IsAsciiLetterOrDigit(letter) || "/._-=:@%+,".Contains(letter))
            ? argument
            : $"'{argument.Replace("'", "'\\''", StringComparison.Ordinal)}'";
}

/// <summary>Numbers for people. Sizes are 1024-based, as in Duplicati's options.</summary>
internal static class Units
{
    private static readonly string[] Names = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

    public static string Bytes(double bytes)
    {
        if (bytes < 1024)
        {
            return bytes is >= 1 and < 2 ? "1 byte" : $"{Number(Math.Floor(bytes))} bytes";
        }

        var unit = -1;

        // 1023.95 would be rounded to 1024.0 of the smaller unit.
        while (bytes >= 1023.95 && unit < Names.Length - 1)
        {
            bytes /= 1024;
            unit++;
        }

        return string.Create(CultureInfo.InvariantCulture, $"{bytes:0.0} {Names[unit]}");
    }

    public static string Number(double number) => number.ToString("N0", CultureInfo.InvariantCulture);

    /// <summary>"1 file", "2 files".</summary>
    public static string Count(long count, string one, string? many = null) => $"{Number(count)} {(count == 1 ? one : many ?? one + "s")}";

    public static string Rate(double bytesPerSecond) => Bytes(bytesPerSecond) + "/s";

    public static string Rate(long bytes, TimeSpan elapsed) => Rate(bytes / Math.Max(elapsed.TotalSeconds, 0.001));

    public static string Percent(double part, double whole) =>
        string.Create(CultureInfo.InvariantCulture, $"{(whole > 0 ? Math.Clamp(Math.Floor(100 * part / whole), 0, 100) : 0)} %");

    public static string Duration(TimeSpan time) => time switch
    {
        { TotalMinutes: < 1 } => string.Create(CultureInfo.InvariantCulture, $"{time.TotalSeconds:0.0} s"),
        { TotalHours: < 1 } => string.Create(CultureInfo.InvariantCulture, $"{time.Minutes} min {time.Seconds:00} s"),
        _ => string.Create(CultureInfo.InvariantCulture, $"{Math.Floor(time.TotalHours):0} h {time.Minutes:00} min"),
    };

    /// <summary>A time in the user's own zone, with the zone, so that it is unambiguous.</summary>
    public static string Time(DateTimeOffset time, TimeProvider clock) =>
        TimeZoneInfo.ConvertTime(time, clock.LocalTimeZone).ToString("yyyy-MM-dd HH:mm:ss zzz", CultureInfo.InvariantCulture);
}
