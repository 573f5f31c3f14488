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
        try
        {
            return AskOnce(output, prompt, interrupt, show);
        }
        catch (Exception failure) when (failure is IOException or InvalidOperationException or UnauthorizedAccessException)
        {
            // The terminal was closed: no answer will come.
            interrupt();
            throw new OperationCanceledException("The terminal was closed", failure);
        }
    }

    private static string AskOnce(TextWriter output, string prompt, Action interrupt, Action<string> show)
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
                case { KeyChar: '\0', Key: 0 }:
                    // What .NET gives for no key: the end of the input.
                    throw new IOException("The input has ended");
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

/// <summary>Asks on a terminal for the user and the password of a store that wants them, and remembers them for the next time it is opened.</summary>
internal sealed class CredentialsPrompt(CommandContext context)
{
    public const string User = "User name at the store: ";
    public const string Password = "Password at the store: ";

    private const int Tries = 3;

    // Azure and Google Cloud Storage have keys by other names.
    private static readonly string[] Schemes = ["webdav", "ssh", "ftp", "aftp", "s3", "b2", "http", "sftp", "dav"];

    private readonly Dictionary<string, string> given = [];

    public async Task<Backup> OpenAsync(BackupOptions options, Func<BackupOptions, Task<Backup>> open)
    {
        for (var left = Tries; ; left--)
        {
            try
            {
                return await open(options with { StoreOptions = options.StoreOptions.Concat(given).ToDictionary() });
            }
            catch (RestoreException failure) when (failure.Code == RestoreErrorCode.SshServerUnknown && left > 0 && context.Environment.Ask is { } ask)
            {
                given[SshServerPrompt.Option] = SshServerPrompt.Ask(failure, ask, context.Messages.WriteLine) ?? throw failure;
            }
            catch (RestoreException failure) when (failure.Code is RestoreErrorCode.CredentialsRefused or RestoreErrorCode.CredentialsMissing)
            {
                if (left == 0 || !TryAsk(failure, options.StoreOptions))
                {
                    throw;
                }
            }
        }
    }

    /// <summary>Nothing is asked if both were given.</summary>
    private bool TryAsk(RestoreException failure, IReadOnlyDictionary<string, string> options)
    {
        var location = context.Request.Storage;
        var user = location.Split("://")[^1].Split('/')[0].Split('@') is [var inUrl, _, ..] ? inUrl : options.GetValueOrDefault("auth-username");
        if (context.Environment is not { Ask: { } ask, AskSecret: { } askSecret }
            || !Schemes.Any(scheme => location.StartsWith(scheme, StringComparison.OrdinalIgnoreCase))
            || options.ContainsKey("auth-password")
            || user?.Contains(':', StringComparison.Ordinal) == true)
        {
            return false;
        }

        context.Messages.WriteLine(failure.Message);
        user ??= given["auth-username"] = ask(User) ?? "";
        var password = user.Length > 0 ? askSecret(Password) : null;
        if (string.IsNullOrEmpty(password))
        {
            return false;
        }

        given["auth-password"] = password;
        context.Secrets.Add(password);
        return true;
    }
}
