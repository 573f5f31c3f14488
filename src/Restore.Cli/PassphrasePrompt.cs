namespace Restore.Cli;

/// <summary>Asks for the passphrase if a backup is encrypted and none was given.</summary>
internal static class PassphrasePrompt
{
    private const int Tries = 3;

    /// <summary>
    /// Repeats the attempt with each new passphrase. Nothing is asked if one was given; if one of
    /// several lines does not open the backup, its first line is tried.
    /// </summary>
    public static async Task<int> RunAsync(
        string? given,
        Func<string, string?>? ask,
        Messages messages,
        Func<string?, Task<int>> attempt
    )
    {
        var passphrase = given;
        var triesLeft = given is null && ask is not null ? Tries : 0;
        while (true)
        {
            try
            {
                return await attempt(passphrase);
            }
            catch (RestoreException failure) when (IsWrong(failure) && FirstLineOf(passphrase) is not null)
            {
                messages.WriteLine("The passphrase does not open the backup, so its first line is tried");
                passphrase = FirstLineOf(passphrase);
            }
            catch (RestoreException failure) when (failure.Kind == RestoreErrorKind.WrongPassphrase && triesLeft > 0)
            {
                if (passphrase is not null)
                {
                    messages.WriteLine("The passphrase does not open the backup");
                }

                passphrase =
                    failure.Code == RestoreErrorCode.EncryptionUndecided
                        ? AskNew(ask!, messages)
                        : ask!("Passphrase: ");
                triesLeft--;
                if (passphrase is null)
                {
                    throw;
                }
            }
        }
    }

    /// <summary>A new passphrase that cannot be used is not among these.</summary>
    private static bool IsWrong(RestoreException failure) =>
        failure.Code
            is RestoreErrorCode.WrongPassphrase
                or RestoreErrorCode.DestinationPassphraseWrong
                or RestoreErrorCode.PassphraseMultiline;

    /// <summary>
    /// The first of several lines, which editors and password managers add; null if the text is one
    /// line, or the first is empty.
    /// </summary>
    private static string? FirstLineOf(string? passphrase) =>
        passphrase?.AsSpan().IndexOfAny('\r', '\n') is > 0 and var end ? passphrase[..end] : null;

    /// <summary>
    /// Asks for a new passphrase twice: a typing error would make the backup unreadable.
    /// </summary>
    private static string? AskNew(Func<string, string?> ask, Messages messages)
    {
        while (true)
        {
            var passphrase = ask("Passphrase of the new backup: ");
            var again = string.IsNullOrEmpty(passphrase) ? passphrase : ask("The same again: ");
            if (again is null || again == passphrase)
            {
                return again;
            }

            messages.WriteLine("They are not the same");
        }
    }
}
