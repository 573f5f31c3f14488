namespace Restore.Cli;

internal static class TerminalInput
{
    private const char EndOfInput = '\x04';

    /// <summary>Reads a line without showing it; null if it is empty.</summary>
    public static string? AskSecret(TextWriter output, string prompt, Action interrupt) =>
        Ask(output, prompt, interrupt, _ => { }) is { Length: > 0 } line ? line : null;

    public static string Ask(TextWriter output, string prompt, Action interrupt) => Ask(output, prompt, interrupt, Console.Error.Write);

    private static string Ask(TextWriter output, string prompt, Action interrupt, Action<string> show)
    {
        // What is being asked about may be on its way to the same terminal.
        output.Flush();

        // Ctrl-C must arrive as a key: a signal would not wake the read below.
        var before = Console.TreatControlCAsInput;
        Console.TreatControlCAsInput = true;
        try
        {
            Console.Error.Write(prompt);
            return ReadLine(interrupt, show);
        }
        finally
        {
            Console.Error.WriteLine();
            Console.TreatControlCAsInput = before;
        }
    }

    private static string ReadLine(Action interrupt, Action<string> show)
    {
        var line = new StringBuilder();
        while (true)
        {
            var key = Console.ReadKey(intercept: true);
            switch (key)
            {
                case { Key: ConsoleKey.C, Modifiers: ConsoleModifiers.Control }:
                case { KeyChar: EndOfInput } when line.Length == 0:
                    interrupt();
                    throw new OperationCanceledException();
                case { Key: ConsoleKey.Enter }:
                    return line.ToString();
                case { Key: ConsoleKey.Backspace } when line.Length > 0:
                    line.Length--;
                    show("\b \b");
                    break;
                case { KeyChar: >= ' ' and not '\x7f' }:
                    line.Append(key.KeyChar);
                    show(key.KeyChar.ToString());
                    break;
            }
        }
    }
}

/// <summary>Asks for the passphrase if a backup is encrypted and none was given.</summary>
internal static class PassphrasePrompt
{
    private const int Tries = 3;

    /// <summary>Repeats the attempt with each new passphrase. Nothing is asked if one was given.</summary>
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

                passphrase = failure.Code == RestoreErrorCode.EncryptionUndecided ? AskNew(ask!, messages) : ask!("Passphrase: ");
                triesLeft--;
                if (passphrase is null)
                {
                    throw;
                }
            }
        }
    }

    /// <summary>A new passphrase is typed twice: with a slip in it nobody could restore the backup.</summary>
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
