namespace Restore.Cli.Options;

/// <summary>
/// Options that take the backup from a job of Duplicati, and how jobs are read: a key that is
/// needed and not given is asked for.
/// </summary>
internal sealed class JobOptions
{
    private readonly Option<string?> job = Declare
        .Text(
            "--job",
            "NAME",
            null,
            "Take storage URL, passphrase and options from the job of this name or number in Duplicati ('restore jobs' lists them)"
        )
        .IsBackup();

    private readonly Option<string?> serverFolder = Declare.Text(
        "--server-datafolder",
        "FOLDER",
        "where Duplicati has it",
        "Where to look for the job: Duplicati's folder, its Duplicati-server.sqlite, or the root of a rescued disk"
    );

    private readonly Option<string?> configuration = Declare
        .Text("--from-config", "FILE", null, "Take them from the exported configuration of a job (.json or .json.aes)")
        .IsBackup();

    private readonly Option<string?> location = Declare.Text(
        "--location",
        "STORAGE",
        "as the job says",
        "Where the backup of the job is now: a folder or a storage URL"
    );

    private readonly Option<string?> key = Declare.TextOrNone(
        "--job-key",
        "TEXT",
        "asked for on a terminal",
        "Key of Duplicati's encrypted settings (else the variable SETTINGS_ENCRYPTION_KEY), or passphrase of an exported configuration; better a file",
        "--settings-encryption-key"
    );

    private readonly Option<string?> keyFile = Declare.Text(
        "--job-key-file",
        "FILE",
        null,
        "Read it from a file, without the one line break at its end; - is the standard input"
    );

    public IReadOnlyList<Option> Options => [job, configuration, location, serverFolder, key, keyFile];

    /// <summary>The options of a command that only lists jobs.</summary>
    public OptionGroup Keys => new(AccessOptions.Title, [key, keyFile]);

    /// <summary>Null if the command line names no job.</summary>
    public async Task<DuplicatiJob?> ReadAsync(CommandLine line)
    {
        var (name, file, elsewhere) = (line.Value(job), line.Value(configuration), line.Value(location));
        if (name is not null && file is not null)
        {
            throw new UsageException("--job and --from-config both name a job; give one of them");
        }

        if (name is null && file is null)
        {
            return elsewhere is null
                ? null
                : throw new UsageException(
                    "--location says where the backup of a job is: give --job or --from-config too"
                );
        }

        var found = file is not null
            ? await ReadExportAsync(file, line)
            : await OfServerAsync(name!, line.Value(serverFolder), line);
        if (elsewhere is null && found.Location is { } url && !StorageLocation.IsOnlyName(url))
        {
            throw new UsageException(
                $"The job '{found.Name}' gives rclone a remote with settings of its own, and such settings can start programs."
                    + " If you trust the job, give its storage URL with --location"
            );
        }

        return elsewhere is null
            ? found
            : new DuplicatiJob
            {
                Id = found.Id,
                Name = found.Name,
                Origin = found.Origin,
                Location = elsewhere,
                Options = found

                    // The credentials of the job are for its own store, and must not go to another
                    // one.
                    .Options.Where(option => !ForeignOptions.IsStoreOption(option.Key.ToLowerInvariant()))
                    .ToDictionary(),
            };
    }

    /// <summary>
    /// The place is a database, a folder, or null for this machine, where Duplicati's own variables
    /// count.
    /// </summary>
    public static IReadOnlyList<string> Databases(string? place, CliEnvironment environment)
    {
        string[] variables = ["DUPLICATI__SERVER_DATAFOLDER", "DUPLICATI_HOME"];
        place ??= variables.Select(environment.Variable).FirstOrDefault(folder => !string.IsNullOrEmpty(folder));
        if (place is not null && File.Exists(place))
        {
            return [place];
        }

        var found = DuplicatiJobs.FindServerDatabases(place, environment.StopToken);
        return found.Count > 0
            ? found
            : throw new RestoreException(
                RestoreErrorCode.ServerDatabaseNotFound,
                $"There is no {DuplicatiJobs.ServerDatabaseName}",
                place ?? "at the places of this machine where Duplicati has it"
            );
    }

    public async Task<IReadOnlyList<DuplicatiJob>> ReadServerAsync(string database, CommandLine line)
    {
        var given =
            Given(line) ?? (line.Environment.Variable("SETTINGS_ENCRYPTION_KEY") is { Length: > 0 } text ? text : null);
        var jobs = await DuplicatiJobs.ReadServerAsync(database, given, line.Environment.StopToken);
        return

            // The settings are read without a key first: most servers have none.
            given is null
            && jobs.Any(job => job.Problem == RestoreErrorCode.SettingsKeyMissing)
            && Ask(line, "Settings encryption key: ") is { } key
            ? await DuplicatiJobs.ReadServerAsync(database, key, line.Environment.StopToken)
            : jobs;
    }

    private async Task<DuplicatiJob> OfServerAsync(string name, string? place, CommandLine line)
    {
        List<DuplicatiJob> jobs = [];
        foreach (var database in Databases(place, line.Environment))
        {
            jobs.AddRange(await ReadServerAsync(database, line));
        }

        var job = DuplicatiJobs.Choose(jobs, name);
        job.RequireReadable();
        return job;
    }

    public async Task<DuplicatiJob> ReadExportAsync(string file, CommandLine line)
    {
        try
        {
            return await DuplicatiJobs.ReadExportAsync(file, Given(line), line.Environment.StopToken);
        }
        catch (RestoreException failure)
            when (failure.Code == RestoreErrorCode.JobFilePassphraseMissing && line.Environment.AskSecret is not null)
        {
            // Without an answer it fails as before.
            return await DuplicatiJobs.ReadExportAsync(
                file,
                Ask(line, "Passphrase of the exported configuration: "),
                line.Environment.StopToken
            );
        }
    }

    /// <summary>
    /// Whether a file is a SQLite database, by its first bytes. A pipe has no length, and is not
    /// read here.
    /// </summary>
    public static bool IsDatabase(string file)
    {
        if (new FileInfo(file) is { Exists: true, Length: 0, LinkTarget: null })
        {
            return false;
        }

        Span<byte> start = stackalloc byte[16];
        using var stream = new FileStream(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        return stream.ReadAtLeast(start, start.Length, throwOnEndOfStream: false) == start.Length
            && start.SequenceEqual("SQLite format 3\0"u8);
    }

    private static string? Ask(CommandLine line, string prompt) => line.Environment.AskSecret?.Invoke(prompt);

    private string? Given(CommandLine line) =>
        line.Value(key) is { Length: > 0 } text ? text
        : line.Value(keyFile) is { } file ? PassphraseSource.Read("--job-key-file", file, line.Environment)
        : null;
}
