using System.CommandLine;

namespace Restore.Cli.Options.Groups;

/// <summary>Options that take the backup from a job of Duplicati. They are declared among those that open the backup.</summary>
internal sealed class JobOptions
{
    private readonly Option<string?> job = Declare.Text(
        "--job", "NAME", null, "Take storage URL, passphrase and options from the job of this name or number in Duplicati ('restore jobs' lists them)");

    private readonly Option<string?> serverFolder = Declare.Text(
        "--server-datafolder", "FOLDER", "where Duplicati has it",
        "Where to look for the job: Duplicati's folder, its Duplicati-server.sqlite, or the root of a rescued disk");

    private readonly Option<string?> configuration = Declare.Text(
        "--from-config", "FILE", null, "Take them from the exported configuration of a job (.json or .json.aes)");

    private readonly Option<string?> location = Declare.Text(
        "--location", "STORAGE", "as the job says", "Where the backup of the job is now: a folder or a storage URL");

    /// <summary>All of them.</summary>
    public IReadOnlyList<Option> Options => [job, configuration, location, serverFolder, .. Keys.Options];

    /// <summary>The secret that opens the settings of a job.</summary>
    public JobKeyOptions Keys { get; } = new();

    /// <summary>The job that the command line names; null if it names none.</summary>
    /// <exception cref="UsageException">The options contradict each other.</exception>
    /// <exception cref="RestoreException">There is no such job, or it cannot be read.</exception>
    public async Task<DuplicatiJob?> ReadAsync(CommandLine line)
    {
        var (name, file, elsewhere) = (line.Value(job), line.Value(configuration), line.Value(location));
        if (name is not null && file is not null)
        {
            throw new UsageException("--job and --from-config both name a job; give one of them");
        }

        if (name is null && file is null)
        {
            return elsewhere is null ? null : throw new UsageException("--location says where the backup of a job is: give --job or --from-config too");
        }

        var found = file is not null
            ? await JobSource.OfExportAsync(file, Keys, line)
            : await JobSource.OfServerAsync(name!, line.Value(serverFolder), Keys, line);
        return elsewhere is null ? found : new DuplicatiJob
        {
            Id = found.Id,
            Name = found.Name,
            Origin = found.Origin,
            Location = elsewhere,
            Options = found.Options.Where(option => !ForeignOptions.IsStoreOption(option.Key.ToLowerInvariant())).ToDictionary(),
        };
    }
}
