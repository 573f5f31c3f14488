namespace Restore.Cli;

/// <summary>A question to be answered with yes or no.</summary>
internal static class YesOrNo
{
    /// <summary>
    /// Asks until the answer is valid. The end of the input is always a no.
    /// </summary>
    /// <param name="text">The question, with its question mark.</param>
    /// <param name="isDefault">The meaning of an empty answer. It is no for questions about
    /// deleting or replacing something.</param>
    /// <param name="ask">Shows a prompt and reads a line; null at the end of the input.</param>
    /// <param name="say">Says that the text was not a valid answer.</param>
    public static bool Ask(string text, bool isDefault, Func<string, string?> ask, Action<string> say)
    {
        while (true)
        {
            switch (ask($"{text} [{(isDefault ? "Y/n" : "y/N")}] ")?.Trim().ToLowerInvariant())
            {
                case "y" or "yes":
                    return true;
                case "n" or "no" or "q" or "quit" or null:
                    return false;
                case "":
                    return isDefault;
                default:
                    say("Answer y (yes) or n (no)");
                    break;
            }
        }
    }
}
