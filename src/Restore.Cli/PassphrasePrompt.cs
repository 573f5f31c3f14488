using Restore.Cli.Rendering;

namespace Restore.Cli;

/// <summary>Asks for the passphrase when a backup turns out to be encrypted and none was given.</summary>
internal static class PassphrasePrompt
{
    private const int Tries = 3;

    /// <param name="given">The passphrase that was given; with one, nothing is asked.</param>
    /// <param name="ask">Asks for a secret; null when nobody is there.</param>
    /// <param name="messages">Where to say that it was wrong.</param>
    /// <param name="attempt">What needs the passphrase; done again with each new one.</param>
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
                    messages.WriteLine("That passphrase does not open the backup.");
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
