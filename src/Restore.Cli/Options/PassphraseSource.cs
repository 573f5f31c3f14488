namespace Restore.Cli.Options;

/// <summary>Finds the passphrase among its possible sources.</summary>
internal static class PassphraseSource
{
    /// <returns>The passphrase exactly as given; null if there is none. An empty one counts as none: no volume can be encrypted with it.</returns>
    /// <exception cref="UsageException">The file cannot be read.</exception>
    public static string? Given(string? option, string? file, CliEnvironment environment)
    {
        var passphrase = option ?? (file is null ? environment.Variable("PASSPHRASE") : Read("--passphrase-file", file, environment));
        return string.IsNullOrEmpty(passphrase) ? null : passphrase;
    }

    /// <summary>Reads a secret from a file, without the one line break at its end; - is the standard input.</summary>
    /// <exception cref="UsageException">The file cannot be read.</exception>
    public static string Read(string option, string file, CliEnvironment environment)
    {
        try
        {
            var text = file == "-" ? environment.Input.ReadToEnd() : File.ReadAllText(file);

            // Every editor ends a file with a line break, and hardly a passphrase has one.
            return text.EndsWith("\r\n", StringComparison.Ordinal) ? text[..^2] : text.EndsWith('\n') ? text[..^1] : text;
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new UsageException($"{option}: {file} cannot be read ({exception.Message})");
        }
    }
}
