
namespace Restore.Jobs;

/// <summary>
/// Finds and reads backup jobs of Duplicati. Nothing is written, and a database can be in use.
/// </summary>
public static class DuplicatiJobs
{
    /// <summary>The name of the database of Duplicati's server.</summary>
    public const string ServerDatabaseName = "Duplicati-server.sqlite";

    /// <summary>
    /// Finds databases of Duplicati's server: at the places that Duplicati uses on Linux, Windows
    /// and macOS, below a folder that was the root of a machine; if none is there, in the folder
    /// itself and the folders below it (six levels and 20,000 folders at most). Links are not
    /// followed.
    /// </summary>
    /// <param name="folder">The root, or Duplicati's own folder; null for this machine.</param>
    /// <param name="cancellationToken">Cancels the search.</param>
    /// <returns>Full paths; empty if no database was found.</returns>
    public static IReadOnlyList<string> FindServerDatabases(
        string? folder = null,
        CancellationToken cancellationToken = default
    ) =>
        folder is null
            ? ServerFolders.OfThisMachine()
            : ServerFolders.Below(Path.GetFullPath(folder), cancellationToken);

    /// <summary>Reads all jobs of a server.</summary>
    /// <param name="path">The database; nothing beside it is created or changed.</param>
    /// <param name="key">The key of encrypted settings (Duplicati's
    /// <c>SETTINGS_ENCRYPTION_KEY</c>); null if the settings are not encrypted.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The jobs by number. <see cref="DuplicatiJob.Problem"/> of a job says that settings
    /// cannot be decrypted.</returns>
    /// <exception cref="RestoreException">The database does not exist or cannot be
    /// used.</exception>
    public static Task<IReadOnlyList<DuplicatiJob>> ReadServerAsync(
        string path,
        string? key,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        return ServerDatabase.ReadAsync(path, new SettingsKey(key), cancellationToken);
    }

    /// <summary>
    /// Reads the exported configuration of a job (<c>.json</c> or <c>.json.aes</c>).
    /// </summary>
    /// <param name="path">The file, of at most 16 MiB.</param>
    /// <param name="passphrase">The passphrase of an encrypted file; null if the file is not
    /// encrypted.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The job.</returns>
    /// <exception cref="RestoreException">The file does not exist or cannot be used, or the
    /// passphrase is wrong.</exception>
    public static Task<DuplicatiJob> ReadExportAsync(
        string path,
        string? passphrase,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        return ExportedJob.ReadAsync(path, passphrase, cancellationToken);
    }

    /// <summary>Finds a job by its name (whatever its case) or its number.</summary>
    /// <param name="jobs">The jobs.</param>
    /// <param name="name">The name or number; a name takes precedence.</param>
    /// <exception cref="RestoreException">No job or several jobs have it.</exception>
    public static DuplicatiJob Choose(IReadOnlyList<DuplicatiJob> jobs, string name)
    {
        ArgumentNullException.ThrowIfNull(jobs);
        ArgumentNullException.ThrowIfNull(name);
        DuplicatiJob[] found =
        [
            .. jobs.Where(job => string.Equals(job.Name, name, StringComparison.OrdinalIgnoreCase)),
        ];
        found = found.Length > 0 ? found : [.. jobs.Where(job => job.Id == name)];
        return found.Length switch
        {
            1 => found[0],
            0 => throw new RestoreException(
                RestoreErrorCode.JobNotFound,
                $"No job has the name '{name}', only: {string.Join(", ", jobs.Take(20).Select(job => $"'{job.Name}'"))}{(jobs.Count > 20 ? ", ..." : "")}"
            ),
            _ => throw new RestoreException(
                RestoreErrorCode.SeveralJobs,
                $"Several jobs have the name '{name}': {string.Join(", ", found.Select(job => $"number {job.Id} ({job.Origin})"))}"
            ),
        };
    }
}
