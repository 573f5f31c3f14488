using System.Text;
using Restore.Cli.Options;
using Restore.Cli.Rendering;

namespace Restore.Cli;

internal static class TerminalInput
{
    private const char EndOfInput = '\x04';

    /// <summary>Reads a line without showing it; null if it is empty.</summary>
    public static string? AskSecret(string prompt, Action interrupt) => Ask(prompt, interrupt, _ => { }) is { Length: > 0 } line ? line : null;

    public static string Ask(string prompt, Action interrupt) => Ask(prompt, interrupt, Console.Error.Write);

    private static string Ask(string prompt, Action interrupt, Action<string> show)
    {
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

/// <summary>Removes known secrets from a text: the last guard before a line leaves the program.</summary>
internal sealed class SecretScrubber
{
    // Shorter values are hardly secrets, and replacing them would garble every line and so reveal where they occur.
    private const int ShortestSecretLength = 4;

    private volatile string[] secrets = [];

    /// <summary>Adds a secret, as given and in its escaped form in a URL.</summary>
    public void Add(string? secret)
    {
        if (secret is null || secret.Length < ShortestSecretLength)
        {
            return;
        }

        // Longest first, so that no secret leaves the tail of a longer one with the same start.
        secrets = [.. secrets.Append(secret).Append(Uri.EscapeDataString(secret)).Distinct().OrderByDescending(known => known.Length)];
    }

    public void Add(HostRequest request)
    {
        Add(request.Backup.Passphrase);
        foreach (var secret in StorageSecrets.In(request.Storage, request.Backup.StoreOptions))
        {
            Add(secret);
        }
    }

    public string Scrub(string text)
    {
        foreach (var secret in secrets)
        {
            text = text.Replace(secret, "***", StringComparison.Ordinal);
        }

        return text;
    }
}

/// <summary>Finds the credentials in a storage URL and among its options.</summary>
internal static class StorageSecrets
{
    public static IEnumerable<string> In(string storage, IReadOnlyDictionary<string, string> storeOptions) =>
        InUrl(storage).Concat(storeOptions.Where(option => ForeignOptions.IsSecret(option.Key)).Select(option => option.Value));

    private static IEnumerable<string> InUrl(string storage)
    {
        var scheme = storage.IndexOf("://", StringComparison.Ordinal);
        if (scheme < 0)
        {
            yield break;
        }

        var query = storage.IndexOf('?', scheme);
        foreach (var pair in query < 0 ? [] : storage[(query + 1)..].Split('&'))
        {
            var parts = pair.Split('=', 2);
            if (parts.Length == 2 && ForeignOptions.IsSecret(parts[0]))
            {
                yield return parts[1];
                yield return Uri.UnescapeDataString(parts[1]);
            }
        }

        var rest = query < 0 ? storage[(scheme + 3)..] : storage[(scheme + 3)..query];
        var userInfo = rest.Split('/', 2)[0];
        var at = userInfo.LastIndexOf('@');
        var colon = userInfo.IndexOf(':', StringComparison.Ordinal);
        if (colon >= 0 && colon < at)
        {
            yield return userInfo[(colon + 1)..at];
            yield return Uri.UnescapeDataString(userInfo[(colon + 1)..at]);
        }
    }
}
