using System.CommandLine;

namespace Restore.Cli.Options;

/// <summary>How to open the backup: passphrase, database, limits, and the options of its store.</summary>
internal sealed class AccessOptions : OptionGroup
{
    // As in Duplicati, these variables have the credentials of a store.
    private static readonly (string Variable, string Option)[] Credentials = [("AUTH_USERNAME", "auth-username"), ("AUTH_PASSWORD", "auth-password")];

    private readonly Option<string?> passphrase = Declare.Text(
        "--passphrase", "TEXT", "asked for on a terminal",
        "Passphrase of the backup; others can see it in the list of processes: better a file, the variable PASSPHRASE, or the prompt");

    private readonly Option<string?> passphraseFile = Declare.Text(
        "--passphrase-file", "FILE", null, "Read the passphrase from a file, without the one line break at its end; - is the standard input");

    private readonly Option<string?> prefix = Declare.Text("--prefix", "NAME", "the only one", "Which backup to take if the folder holds several");

    private readonly Option<string?> databasePath = Declare.Text(
        "--dbpath", "FILE", "none", "Duplicati's local database, which no restore needs: opened read-only; by backup, delete, compact and repair kept true");

    private readonly Option<bool> noLocalDatabase = Declare.Flag("--no-local-db", "Leave the database of --dbpath alone, as if it were not given");

    private readonly Option<int?> maxKeyIterations = Declare.Count(
        "--max-key-iterations", 1, int.MaxValue, "5000000", "Most key derivation rounds that a volume may ask for; more is refused");

    private readonly Option<long?> maxBlockSize = Declare.Size(
        "--max-block-size", "mb", "1kb", "2tb", "128mb",
        "Longest block that is read; a restore needs memory for about three. Files of longer blocks are refused");

    private readonly Option<string?> gpgProgramPath = Declare.Text(
        "--gpg-program-path", "FILE", "gpg2 or gpg", "The GnuPG program for .gpg volumes");

    private readonly Option<string?> par2ProgramPath = Declare.Text(
        "--par2-program-path", "FILE", "par2", "The program that repairs damaged volumes with the .par2 files beside them");

    private readonly Option<bool> allowUnencrypted = Declare.Flag(
        "--allow-unencrypted", "Use file lists and index volumes without encryption although the backup is encrypted: anyone can have made them");

    private readonly Option<bool> allowGpgKeys = Declare.Flag(
        "--allow-gpg-keys", "Use .gpg volumes encrypted to a key of yours, not with the passphrase: anyone who has your public key can have made them");

    private readonly Option<string?> cacheDirectory = Declare.Text(
        "--cache-dir", "FOLDER", "none", "Cache file lists and index volumes here, so that the next run need not fetch them");

    /// <summary>The options that find the backup in what Duplicati knows.</summary>
    public JobOptions Job { get; } = new();

    public override string Title => "Opening the backup";

    public override IReadOnlyList<Option> Options =>
    [
        passphrase, passphraseFile, prefix, databasePath, noLocalDatabase, maxKeyIterations, maxBlockSize, gpgProgramPath, par2ProgramPath, allowUnencrypted,
        allowGpgKeys, cacheDirectory,
        .. Job.Options,
    ];

    public override HostRequest Apply(HostRequest request, CommandLine line) => request with
    {
        ReadFiles =
        [
            .. new[] { line.Value(passphraseFile) }.Concat(Job.FilesOf(line)).OfType<string>().Where(file => file != "-"),
        ],
        Backup = request.Backup with
        {
            Passphrase = PassphraseSource.Given(
                line.Value(passphrase) ?? (line.Value(passphraseFile) is null ? FromJob(line, "passphrase") : null),
                line.Value(passphraseFile),
                line.Environment),
            Prefix = line.Value(prefix) ?? FromJob(line, "prefix"),
            DatabasePath = line.Value(noLocalDatabase) ? null : line.Value(databasePath),
            MaxKeyIterations = line.Value(maxKeyIterations) ?? request.Backup.MaxKeyIterations,
            MaxBlockSizeBytes = line.Value(maxBlockSize) ?? request.Backup.MaxBlockSizeBytes,
            GpgProgramPath = line.Value(gpgProgramPath),
            Par2ProgramPath = line.Value(par2ProgramPath),
            AllowUnencrypted = line.Value(allowUnencrypted),
            AllowGpgKeys = line.Value(allowGpgKeys),
            CacheDirectory = line.Value(cacheDirectory) is { Length: > 0 } folder ? folder : null,
            Stores = HostStores.Registry,
            StoreOptions = StoreOptions(line),
            TimeProvider = line.Environment.Clock,
        },
    };

    private static string? FromJob(CommandLine line, string option) =>
        line.Job?.Options.GetValueOrDefault(option) is { Length: > 0 } value ? value : null;

    /// <summary>The options of the command line, then those of the job, then the variables.</summary>
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
