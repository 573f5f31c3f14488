namespace Restore.Cli.Rendering;

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
    public static string Count(long count, string one, string? many = null) =>
        $"{Number(count)} {(count == 1 ? one : many ?? one + "s")}";

    public static string Rate(double bytesPerSecond) => Bytes(bytesPerSecond) + "/s";

    public static string Rate(long bytes, TimeSpan elapsed) => Rate(bytes / Math.Max(elapsed.TotalSeconds, 0.001));

    public static string Percent(double part, double whole) =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{(whole > 0 ? Math.Clamp(Math.Floor(100 * part / whole), 0, 100) : 0)} %"
        );

    public static string Duration(TimeSpan time) =>
        time switch
        {
            { TotalMinutes: < 1 } => string.Create(CultureInfo.InvariantCulture, $"{time.TotalSeconds:0.0} s"),
            { TotalHours: < 1 } => string.Create(
                CultureInfo.InvariantCulture,
                $"{time.Minutes} min {time.Seconds:00} s"
            ),
            _ => string.Create(
                CultureInfo.InvariantCulture,
                $"{Math.Floor(time.TotalHours):0} h {time.Minutes:00} min"
            ),
        };

    /// <summary>A time in the user's own zone, with the zone, so that it is unambiguous.</summary>
    public static string Time(DateTimeOffset time, TimeProvider clock) =>
        TimeZoneInfo
            .ConvertTime(time, clock.LocalTimeZone)
            .ToString("yyyy-MM-dd HH:mm:ss zzz", CultureInfo.InvariantCulture);
}
