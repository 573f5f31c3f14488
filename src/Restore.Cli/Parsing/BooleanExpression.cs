namespace Restore.Cli.Parsing;

/// <summary>Values of options that are on or off: <c>--overwrite</c> alone is on, <c>--overwrite=false</c> is off.</summary>
internal static class BooleanExpression
{
    /// <summary>Reads a value; none at all means on. Unlike Duplicati, which takes any other word as on, a word that is neither is refused.</summary>
    public static bool TryParse(string? text, out bool value)
    {
        string word = (text ?? "").Trim().ToLowerInvariant();
        value = word is "" or "1" or "on" or "true" or "yes";
        return value || word is "0" or "off" or "false" or "no";
    }
}
