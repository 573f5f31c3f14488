using Restore.Cli.Interop;

namespace Restore.Cli.Rendering;

/// <summary>Words as a shell reads them.</summary>
internal static class ShellText
{
    // In double quotes of PowerShell, these characters are not themselves.
    private const string SpecialInPowerShell = "$`“”„";
    private const string SingleQuotesOfPowerShell = "'‘’‚‛";

    public static string Quoted(string argument) =>
        !OperatingSystem.IsWindows() ? ForUnix(argument)
        : argument.AsSpan().ContainsAny(SpecialInPowerShell) && ParentProcess.IsPowerShell() ? ForPowerShell(argument)
        : ForWindows(argument, Environment.ExpandEnvironmentVariables(argument) != argument);

    /// <summary>As cmd and PowerShell both take it, and the program reads it.</summary>
    /// <param name="namesVariable">Whether cmd would put the value of a variable in its place, also
    /// within quotes; PowerShell would not.</param>
    internal static string ForWindows(string argument, bool namesVariable = false)
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
            // Outside of the quotes: no variable has a name with a quotation mark.
            var isOutside = letter == '%' && namesVariable;
            if (letter == '"' || isOutside)
            {
                text.Append('\\', isOutside ? backslashes : backslashes + 1);
            }

            backslashes = letter == '\\' ? backslashes + 1 : 0;
            text.Append(isOutside ? "\"%\"" : letter.ToString());
        }

        return text.Append('\\', backslashes).Append('"').ToString();
    }

    /// <summary>In single quotes, in which every character is itself.</summary>
    internal static string ForPowerShell(string argument)
    {
        StringBuilder text = new("'");
        foreach (var letter in argument)
        {
            text.Append(letter, SingleQuotesOfPowerShell.Contains(letter) ? 2 : 1);
        }

        // PowerShell puts a word with a blank into double quotes, and the program reads \" then.
        var backslashes = argument.Contains(' ') ? argument.Length - argument.TrimEnd('\\').Length : 0;
        return text.Append('\\', backslashes).Append('\'').ToString();
    }

    private static string ForUnix(string argument) =>
        argument.Length > 0
        && argument.All(letter => char.IsAsciiLetterOrDigit(letter) || "/._-=:@%+,".Contains(letter))
            ? argument
            : $"'{argument.Replace("'", "'\\''", StringComparison.Ordinal)}'";
}
