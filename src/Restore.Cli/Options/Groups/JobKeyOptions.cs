using System.CommandLine;

namespace Restore.Cli.Options.Groups;

/// <summary>The secret that opens the settings of a job.</summary>
internal sealed class JobKeyOptions : OptionGroup
{
    private readonly Option<string?> key = Declare.Text(
        "--job-key", "TEXT", "asked for on a terminal",
        "Key of Duplicati's encrypted settings (else the variable SETTINGS_ENCRYPTION_KEY), or passphrase of an exported configuration; better a file",
        "--settings-encryption-key");

    private readonly Option<string?> keyFile = Declare.Text(
        "--job-key-file", "FILE", null, "Read it from a file, without the one line break at its end; - is the standard input");

    public override string Title => "Opening the backup";

    public override IReadOnlyList<Option> Options => [key, keyFile];

    /// <summary>The key of encrypted settings; null if none is given.</summary>
    public string? OfSettings(CommandLine line) => Given(line) ?? (line.Environment.Variable("SETTINGS_ENCRYPTION_KEY") is { Length: > 0 } text ? text : null);

    /// <summary>The passphrase of an exported configuration; null if none is given.</summary>
    public string? OfExport(CommandLine line) => Given(line);

    private string? Given(CommandLine line) =>
        line.Value(key) is { Length: > 0 } text ? text
        : line.Value(keyFile) is { } file ? PassphraseSource.Read("--job-key-file", file, line.Environment)
        : null;
}
