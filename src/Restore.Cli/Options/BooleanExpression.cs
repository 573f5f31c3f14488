namespace Restore.Cli.Options;

/// <summary>
/// Values of options that are on or off: <c>--overwrite</c> alone is on, <c>--overwrite=false</c>
/// is off.
/// </summary>
internal static class BooleanExpression
{
    /// <summary>
    /// Parses a value; no value means on. Duplicati reads any other word as on; here it is refused.
    /// </summary>
    public static bool TryParse(string? text, out bool value)
    {
        string word = (text ?? "").Trim().ToLowerInvariant();
        value = word is "" or "1" or "on" or "true" or "yes";
        return value || word is "0" or "off" or "false" or "no";
    }
}
