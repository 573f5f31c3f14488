namespace Restore.Cli.Rendering;

/// <summary>Words as a shell reads them.</summary>
internal static class ShellText
{
    public static string Quoted(string argument) =>
        argument.Length > 0
        && argument.All(letter => char.IsAsciiLetterOrDigit(letter) || "/._-=:@%+,".Contains(letter))
            ? argument
            : $"'{argument.Replace("'", "'\\''", StringComparison.Ordinal)}'";
}
