namespace Restore.Cli.Options;

/// <summary>
/// <c>"C:\Users\ann\Desktop\"</c>, as shells of Windows complete the name of a folder: Windows
/// takes the last two characters for a quotation mark in the argument, which then has what follows
/// too.
/// </summary>
internal static class SwallowedQuote
{
    /// <returns>What is wrong, and how to write it; null if the argument has no path of Windows
    /// with a quotation mark.</returns>
    public static string? ErrorIn(string argument)
    {
        var start = argument.StartsWith("--", StringComparison.Ordinal)
            ? argument.IndexOf('=', StringComparison.Ordinal) + 1
            : 0;
        var value = argument[start..];
        var quote = value.IndexOf('"', StringComparison.Ordinal);

        // Names of Windows have no quotation mark, so it can only be one of the shell.
        if (
            quote < 0
            || value is not ([_, ':', '\\', ..] or ['\\', '\\', ..])
            || (start > 0 && ForeignOptions.IsSecret(argument[2..(start - 1)]))
        )
        {
            return null;
        }

        var path = value[..quote].TrimEnd('\\');
        return $"{argument[..start]}{path}\\\" has a quotation mark in it: Windows reads \\\" as one, and what follows belongs to the path then. "
            + $"Write \"{path}\\\\\" or \"{path}\"";
    }
}
