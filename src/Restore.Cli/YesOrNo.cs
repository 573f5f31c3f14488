namespace Restore.Cli;

/// <summary>A question to be answered with yes or no.</summary>
internal static class YesOrNo
{
    /// <summary>
    /// Asks until the answer is one. The end of the input is a no, whatever an empty answer means.
    /// </summary>
    /// <param name="text">The question, with its question mark.</param>
    /// <param name="isDefault">What an empty answer means. What deletes or replaces something has a
    /// no.</param>
    /// <param name="ask">Shows a prompt and reads a line; null at the end of the input.</param>
    /// <param name="say">Says that an answer was none.</param>
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
