namespace Restore.Cli.Options;

/// <summary>Which backup to open, and how.</summary>
internal static class AccessOptions
{
    public const string Title = "Opening the backup";

    // As in Duplicati, these variables have the credentials of a store.
    private static readonly (string Variable, string Option)[] Credentials =
    [
        ("AUTH_USERNAME", "auth-username"),
        ("AUTH_PASSWORD", "auth-password"),
    ];

    public static OptionGroup Group(JobOptions job)
    {
        var passphrase = Declare.TextOrNone(
            "--passphrase",
            "TEXT",
            "asked for on a terminal",
            "Passphrase of the backup; others can see it in the list of processes: better a file, the variable PASSPHRASE, or the prompt"
        );
        var passphraseFile = Declare.Text(
            "--passphrase-file",
            "FILE",
            null,
            "Read the passphrase from a file, without the one line break at its end; - is the standard input"
        );
        var passphraseCommand = Declare.Text(
            "--passphrase-command",
            "COMMAND",
            null,
            "Run this command of the shell and take the first line that it prints as the passphrase, as 'pass show backup'; it sees no other secret"
        );
        var noDatabase = Declare.Flag("--no-local-db", "Leave the database of --dbpath alone, as if it were not given");
        return new(
            Title,
            [
                passphrase,
                passphraseFile,
                passphraseCommand,
                Declare
                    .TextOrNone(
                        "--former-passphrase",
                        "TEXT",
                        "none",
                        "Passphrase of volumes that --passphrase does not open, after an interrupted 'repair --new-passphrase'"
                    )
                    .SetsBackup(
                        (backup, former) =>
                            backup with
                            {
                                FormerPassphrases = string.IsNullOrEmpty(former) ? [] : [former],
                            }
                    ),
                Declare
                    .Text("--prefix", "NAME", "the only one", "Which backup to take if the folder holds several")
                    .SetsBackup((backup, prefix) => backup with { Prefix = prefix }),
                Declare
                    .Text(
                        "--dbpath",
                        "FILE",
                        "none",
                        "Duplicati's local database, which no restore needs: opened read-only; by backup, delete, compact and repair kept true"
                    )
                    .SetsBackup((backup, path) => backup with { DatabasePath = path }),
                noDatabase,
                Declare
                    .Count(
                        "--max-key-iterations",
                        1,
                        int.MaxValue,
                        "5000000",
                        "Most key derivation rounds that a volume may ask for; more is refused"
                    )
                    .SetsBackup((backup, rounds) => backup with { MaxKeyIterations = (int)rounds! }),
                Declare
                    .Size(
                        "--max-block-size",
                        "mb",
                        "1kb",
                        "2tb",
                        "128mb",
                        "Longest block that is read; a restore needs memory for about three. Files of longer blocks are refused"
                    )
                    .SetsBackup((backup, bytes) => backup with { MaxBlockSizeBytes = (long)bytes! }),
                Declare
                    .Text("--gpg-program-path", "FILE", "gpg2 or gpg", "The GnuPG program for .gpg volumes")
                    .SetsBackup((backup, path) => backup with { GpgProgramPath = path }),
                Declare
                    .Text(
                        "--par2-program-path",
                        "FILE",
                        "par2",
                        "The program that repairs damaged volumes with the .par2 files beside them"
                    )
                    .SetsBackup((backup, path) => backup with { Par2ProgramPath = path }),
                Declare
                    .Flag(
                        "--allow-unencrypted",
                        "Use file lists and index volumes without encryption although the backup is encrypted: anyone can have made them"
                    )
                    .SetsBackup((backup, allows) => backup with { AllowUnencrypted = allows }),
                Declare
                    .Flag(
                        "--allow-gpg-keys",
                        "Use .gpg volumes encrypted to a key of yours, not with the passphrase: anyone who has your public key can have made them"
                    )
                    .SetsBackup((backup, allows) => backup with { AllowGpgKeys = allows }),
                Declare
                    .Flag(
                        "--allow-unauthentic-lists",
                        "Use what can be read of an encrypted file list that fails its authentication: it is damaged, or somebody has changed it"
                    )
                    .SetsBackup((backup, allows) => backup with { AllowUnauthenticLists = allows }),
                Declare
                    .Text(
                        "--cache-dir",
                        "FOLDER",
                        "none",
                        "Cache file lists and index volumes here, so that the next run need not fetch them"
                    )
                    .SetsBackup((backup, folder) => backup with { CacheDirectory = folder }),
                .. job.Options,
            ],
            (request, line) =>
                request with
                {
                    Backup = request.Backup with
                    {
                        Passphrase = PassphraseSource.Given(
                            line.Value(passphrase)
                                ?? (
                                    line.Value(passphraseFile) is null && line.Value(passphraseCommand) is null
                                        ? FromJob(line, "passphrase")
                                        : null
                                ),
                            line.Value(passphraseFile),
                            line.Value(passphraseCommand),
                            line.Environment
                        ),
                        DatabasePath = line.Value(noDatabase) ? null : request.Backup.DatabasePath,
                        Prefix = request.Backup.Prefix ?? FromJob(line, "prefix"),
                        Stores = HostStores.Registry,
                        StoreOptions = StoreOptions(line),
                        TimeProvider = line.Environment.Clock,
                    },
                }
        )
        {
            IsGeneral = true,
            Job = job,
        };
    }

    /// <summary>The option that gives a passphrase; null if none does.</summary>
    public static string? PassphraseOptionOf(CommandLine line) =>
        line
            .Given.Where(given =>
                given.Option.Name is "--passphrase" or "--passphrase-file" or "--passphrase-command"
                && given.Text.Length > 0
            )
            .Select(given => given.Option.Name)
            .FirstOrDefault();

    private static string? FromJob(CommandLine line, string option) =>
        line.Job?.Options.GetValueOrDefault(option) is { Length: > 0 } value ? value : null;

    /// <summary>
    /// The options of the command line come first, then the job's options, then the variables.
    /// </summary>
    private static Dictionary<string, string> StoreOptions(CommandLine line)
    {
        var options = new Dictionary<string, string>(line.StoreOptions);
        foreach (var (name, value) in line.Job?.Options ?? new Dictionary<string, string>())
        {
            if (ForeignOptions.IsFromJob(name.ToLowerInvariant()))
            {
                options.TryAdd(name.ToLowerInvariant(), value);
            }
        }

        foreach (var (variable, name) in Credentials)
        {
            if (line.Environment.Variable(variable) is { Length: > 0 } value)
            {
                options.TryAdd(name, value);
            }
        }

        return options;
    }
}
