namespace Restore.Cli.Options;

internal static class PassphraseSource
{
    public const string FileVariable = "RESTORE_PASSPHRASE_FILE";
    public const string CommandVariable = "RESTORE_PASSPHRASE_COMMAND";

    private const int MostCharacters = 1 << 20;

    /// <summary>
    /// Null without a passphrase. An empty one is ignored, because no volume can be encrypted with
    /// it. The command line takes precedence over the variables.
    /// </summary>
    public static string? Given(string? option, string? file, string? command, CliEnvironment environment)
    {
        var passphrase =
            option is not null ? option
            : file is not null ? Read("--passphrase-file", file, environment)
            : command is not null ? PassphraseCommand.Run("--passphrase-command", command, environment)
            : environment.Variable("PASSPHRASE") is { Length: > 0 } text ? text
            : environment.Variable(FileVariable) is { Length: > 0 } otherFile
                ? Read(FileVariable, otherFile, environment)
            : environment.Variable(CommandVariable) is { Length: > 0 } otherCommand
                ? PassphraseCommand.Run(CommandVariable, otherCommand, environment)
            : null;
        return string.IsNullOrEmpty(passphrase) ? null : passphrase;
    }

    /// <summary>
    /// Checks the encoding: a text that is read in another encoding than its own becomes another
    /// passphrase, a wrong one.
    /// </summary>
    public static void RefuseOtherEncoding(string option, string text)
    {
        if (text.Contains('\uFFFD', StringComparison.Ordinal) || text.Contains('\0', StringComparison.Ordinal))
        {
            throw new UsageException(
                $"{option}: the passphrase is not UTF-8 text, nor UTF-16 with a byte order mark; save it as UTF-8"
            );
        }
    }

    /// <summary>
    /// Reads a secret from a file, without the one line break at its end; - is the standard input.
    /// </summary>
    public static string Read(string option, string file, CliEnvironment environment)
    {
        var text = NamedFile.Text(option, file, MostCharacters, environment.Input);
        RefuseOtherEncoding(option, text);

        // Editors end a file with a line break, and passphrases rarely contain one.
        return text.EndsWith("\r\n", StringComparison.Ordinal) ? text[..^2]
            : text.EndsWith('\n') ? text[..^1]
            : text;
    }
}
