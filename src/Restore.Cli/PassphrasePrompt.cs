using Restore.Cli.Rendering;

namespace Restore.Cli;

/// <summary>Asks for the passphrase if a backup is encrypted and none was given.</summary>
internal static class PassphrasePrompt
{
    private const int Tries = 3;

    /// <param name="given">The given passphrase; if there is one, nothing is asked.</param>
    /// <param name="ask">Asks for a secret; null if there is no terminal.</param>
    /// <param name="messages">Receives a line for each wrong passphrase.</param>
    /// <param name="attempt">The operation that needs the passphrase; repeated with each new one.</param>
    public static async Task<int> RunAsync(string? given, Func<string, string?>? ask, Messages messages, Func<string?, Task<int>> attempt)
    {
        var passphrase = given;
        var triesLeft = given is null && ask is not null ? Tries : 0;
        while (true)
        {
            try
            {
                return await attempt(passphrase);
            }
            catch (RestoreException failure) when (failure.Kind == RestoreErrorKind.WrongPassphrase && triesLeft > 0)
            {
                if (passphrase is not null)
                {
                    messages.WriteLine("The passphrase does not open the backup");
                }

                passphrase = ask!("Passphrase: ");
                triesLeft--;
                if (passphrase is null)
                {
                    throw;
                }
            }
        }
    }
}
