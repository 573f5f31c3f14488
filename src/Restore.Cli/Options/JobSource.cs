using Restore.Cli.Options.Groups;

namespace Restore.Cli.Options;

/// <summary>Reads jobs of Duplicati; asks for the key if one is needed, none was given and there is a terminal.</summary>
internal static class JobSource
{
    /// <summary>Finds the databases of Duplicati's server at a place.</summary>
    /// <param name="place">A database, a folder, or null for this machine.</param>
    /// <param name="environment">Its variables name Duplicati's folder, as for Duplicati itself.</param>
    /// <exception cref="RestoreException">There is none.</exception>
    public static IReadOnlyList<string> Databases(string? place, CliEnvironment environment)
    {
        string[] variables = ["DUPLICATI__SERVER_DATAFOLDER", "DUPLICATI_HOME"];
        place ??= variables.Select(environment.Variable).FirstOrDefault(folder => !string.IsNullOrEmpty(folder));
        if (place is not null && File.Exists(place))
        {
            return [place];
        }

        var found = DuplicatiJobs.FindServerDatabases(place, environment.StopToken);
        return found.Count > 0 ? found : throw new RestoreException(
            RestoreErrorCode.ServerDatabaseNotFound,
            $"There is no {DuplicatiJobs.ServerDatabaseName}",
            place ?? "at the places of this machine where Duplicati has it");
    }

    /// <summary>Reads the jobs of one server.</summary>
    public static async Task<IReadOnlyList<DuplicatiJob>> ReadServerAsync(string database, JobKeyOptions keys, CommandLine line)
    {
        var given = keys.OfSettings(line);
        var jobs = await DuplicatiJobs.ReadServerAsync(database, given, line.Environment.StopToken);
        return given is null && jobs.Any(job => job.Problem == RestoreErrorCode.SettingsKeyMissing) && Ask(line, "Settings encryption key: ") is { } key
            ? await DuplicatiJobs.ReadServerAsync(database, key, line.Environment.StopToken)
            : jobs;
    }

    /// <summary>Finds a job by its name.</summary>
    public static async Task<DuplicatiJob> OfServerAsync(string name, string? place, JobKeyOptions keys, CommandLine line)
    {
        List<DuplicatiJob> jobs = [];
        foreach (var database in Databases(place, line.Environment))
        {
            jobs.AddRange(await ReadServerAsync(database, keys, line));
        }

        var job = DuplicatiJobs.Choose(jobs, name);
        job.RequireReadable();
        return job;
    }

    /// <summary>Reads an exported configuration.</summary>
    public static async Task<DuplicatiJob> OfExportAsync(string file, JobKeyOptions keys, CommandLine line)
    {
        try
        {
            return await DuplicatiJobs.ReadExportAsync(file, keys.OfExport(line), line.Environment.StopToken);
        }
        catch (RestoreException failure) when (failure.Code == RestoreErrorCode.JobFilePassphraseMissing && line.Environment.AskSecret is not null)
        {
            // Without an answer it fails as before.
            return await DuplicatiJobs.ReadExportAsync(file, Ask(line, "Passphrase of the exported configuration: "), line.Environment.StopToken);
        }
    }

    /// <summary>Whether a file is a SQLite database, by its first bytes.</summary>
    public static bool IsDatabase(string file)
    {
        Span<byte> start = stackalloc byte[16];
        using var stream = new FileStream(file, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        return stream.ReadAtLeast(start, start.Length, throwOnEndOfStream: false) == start.Length && start.SequenceEqual("SQLite format 3\0"u8);
    }

    private static string? Ask(CommandLine line, string prompt) => line.Environment.AskSecret?.Invoke(prompt);
}
