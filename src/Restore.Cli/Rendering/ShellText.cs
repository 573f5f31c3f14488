namespace Restore.Cli.Rendering;

/// <summary>Words as a shell reads them.</summary>
internal static class ShellText
{
    public static string Quoted(string argument) =>
        OperatingSystem.IsWindows() ? ForWindows(argument) : ForUnix(argument);

    /// <summary>As cmd and PowerShell both take it, and the program reads it.</summary>
    internal static string ForWindows(string argument)
    {
        if (
            argument.Length > 0
            && argument.All(letter => char.IsAsciiLetterOrDigit(letter) || @"\/._-=:+~".Contains(letter))
        )
        {
            return argument;
        }

        // Backslashes before a quotation mark count twice.
        StringBuilder text = new("\"");
        var backslashes = 0;
        foreach (var letter in argument)
        {
            if (letter == '"')
            {
                text.Append('\\', backslashes + 1);
            }

            backslashes = letter == '\\' ? backslashes + 1 : 0;
            text.Append(letter);
        }

        return text.Append('\\', backslashes).Append('"').ToString();
    }

    private static string ForUnix(string argument) =>
        argument.Length > 0
        && argument.All(letter => char.IsAsciiLetterOrDigit(letter) || "/._-=:@%+,".Contains(letter))
            ? argument
            : $"'{argument.Replace("'", "'\\''", StringComparison.Ordinal)}'";
}
