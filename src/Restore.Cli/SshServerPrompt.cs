using System.Text.RegularExpressions;

namespace Restore.Cli;

/// <summary>
/// Asks on a terminal whether an unknown SSH server is the right one, as ssh does. The answer
/// counts for this run.
/// </summary>
internal static partial class SshServerPrompt
{
    public const string Option = "ssh-fingerprint";

    private const string Start = "Is it the server, and is its key ";

    /// <returns>The key as the option takes it; null if the user does not trust it.</returns>
    public static string? Ask(RestoreException failure, Func<string, string?> ask, Action<string> say)
    {
        if (Key().Match(failure.Message) is not { Success: true } key)
        {
            return null;
        }

        say(failure.Message);
        say("'ssh-keygen -lf /etc/ssh/ssh_host_ed25519_key.pub' prints the key at the server itself");
        return YesOrNo.Ask($"{Start}{key.Value}?", isDefault: false, ask, say) ? key.Value : null;
    }

    /// <summary>The key that a question is about; null if it is another question.</summary>
    public static string? KeyIn(string question) =>
        question.StartsWith(Start, StringComparison.Ordinal) ? Key().Match(question).Value : null;

    [GeneratedRegex(@"[a-z0-9-]+ SHA256:[A-Za-z0-9+/]+", RegexOptions.CultureInvariant)]
    private static partial Regex Key();
}
