using Restore.Catalog.Database;

namespace Restore.Jobs;

/// <summary>Reads the jobs from the database of Duplicati's server, which is not trusted: at most 64 MiB of text and 100,000 rows.</summary>
internal static class ServerDatabase
{
    private const int MaxRows = 100_000;
    private const long MaxTextBytes = 64L << 20;
    private const long MaxSharedOptions = 1_000_000;

    private const string TooLarge = "The database has more settings than Duplicati makes";

    // Duplicati's number for options of all jobs.
    private const long AllJobs = -1;

    public static async Task<IReadOnlyList<DuplicatiJob>> ReadAsync(string path, SettingsKey key, CancellationToken cancellationToken)
    {
        DatabaseFile file = new(path, RestoreErrorCode.ServerDatabaseUnusable, RestoreErrorCode.ServerDatabaseNotFound);
        ServerTables tables = await file.ReadAsync(connection => Read(file, connection), cancellationToken).ConfigureAwait(false);
        OptionRow[] shared = [.. tables.Options.Where(option => option.Job == AllJobs)];
        if ((long)shared.Length * tables.Backups.Count > MaxSharedOptions)
        {
            throw file.Unusable(TooLarge);
        }

        string folder = Path.GetDirectoryName(Path.GetFullPath(path))!;
        List<DuplicatiJob> jobs = [];
        foreach (BackupRow row in tables.Backups)
        {
            JobBuilder job = new(key, path, $"{row.Id}", row.Name) { DatabasePath = Absolute(folder, row.DatabasePath) };
            await job.SetLocationAsync(row.Location, cancellationToken).ConfigureAwait(false);
            foreach (OptionRow option in shared.Concat(tables.Options.Where(option => option.Job == row.Id)))
            {
                await job.AddOptionAsync(option.Name, option.Value, cancellationToken).ConfigureAwait(false);
            }

            foreach ((_, string source) in tables.Sources.Where(source => source.Job == row.Id))
            {
                await job.AddSourceAsync(source, cancellationToken).ConfigureAwait(false);
            }

            foreach ((_, bool include, string expression) in tables.Filters.Where(filter => filter.Job == row.Id))
            {
                job.AddFilter(include, expression);
            }

            jobs.Add(job.ToJob());
        }

        return jobs;
    }

    private static ServerTables Read(DatabaseFile file, DatabaseConnection connection)
    {
        using (DatabaseQuery query = connection.Query(
            "SELECT COUNT(*) FROM \"sqlite_master\" WHERE \"type\" = 'table' AND \"rootpage\" > 0 AND \"name\" IN ('Backup', 'Option', 'Source', 'Filter')"))
        {
            if (!query.Read() || query.Number(0) != 4)
            {
                throw file.Unusable("The file is an SQLite database, but not that of Duplicati's server");
            }
        }

        RowBudget budget = new(file);
        return new ServerTables(
            budget.Rows(connection, "SELECT \"ID\", \"Name\", \"TargetURL\", \"DBPath\" FROM \"Backup\" ORDER BY \"ID\"",
                query => new BackupRow(query.Number(0), budget.Text(query, 1), budget.Text(query, 2), budget.Text(query, 3))),
            budget.Rows(connection, "SELECT \"BackupID\", \"Name\", \"Value\" FROM \"Option\"",
                query => new OptionRow(query.Number(0), budget.Text(query, 1), budget.Text(query, 2))),
            budget.Rows(connection, "SELECT \"BackupID\", \"Path\" FROM \"Source\"", query => (query.Number(0), budget.Text(query, 1))),
            budget.Rows(connection, "SELECT \"BackupID\", \"Include\", \"Expression\" FROM \"Filter\" ORDER BY \"Order\"",
                query => (query.Number(0), query.Number(1) != 0, budget.Text(query, 2))));
    }

    /// <summary>Since 2.3 the path of a local database can be relative to the server's folder.</summary>
    private static string? Absolute(string folder, string path) =>
        path.Length == 0 ? null : path[0] is '/' or '\\' || path is [_, ':', ..] ? path : Path.Combine(folder, path);

    private sealed record BackupRow(long Id, string Name, string Location, string DatabasePath);

    private sealed record OptionRow(long Job, string Name, string Value);

    private sealed record ServerTables(
        List<BackupRow> Backups, List<OptionRow> Options, List<(long Job, string Path)> Sources, List<(long Job, bool Include, string Expression)> Filters);

    private sealed class RowBudget(DatabaseFile file)
    {
        private long rowsLeft = MaxRows;
        private long bytesLeft = MaxTextBytes;

        public List<T> Rows<T>(DatabaseConnection connection, string sql, Func<DatabaseQuery, T> read)
        {
            List<T> rows = [];
            using DatabaseQuery query = connection.Query(sql);
            while (query.Read())
            {
                rows.Add(--rowsLeft >= 0 ? read(query) : throw file.Unusable(TooLarge));
            }

            return rows;
        }

        public string Text(DatabaseQuery query, int column) =>
            (bytesLeft -= query.Utf8(column).Length) >= 0 ? query.Text(column) : throw file.Unusable(TooLarge);
    }
}

internal static class ServerFolders
{
    private const int MaxDepth = 6;
    private const int MaxFolders = 20_000;

    /// <summary>Places below the root of a machine: of accounts, services, containers and portable copies. A star is any folder.</summary>
    private static readonly string[] Places =
    [
        "home/*/.config/Duplicati", "root/.config/Duplicati", "var/lib/Duplicati", "var/lib/*/.config/Duplicati", "Duplicati", "data", "config",
        "usr/lib/duplicati/data", "opt/duplicati/data",
        "Users/*/AppData/Local/Duplicati", "Users/*/AppData/Roaming/Duplicati", "ProgramData/Duplicati",
        "Windows/System32/config/systemprofile/AppData/Local/Duplicati", "Windows/SysWOW64/config/systemprofile/AppData/Local/Duplicati",
        "Windows/ServiceProfiles/*/AppData/Local/Duplicati", "Program Files/Duplicati 2/data",
        "Users/*/Library/Application Support/Duplicati", "Users/*/.config/Duplicati",
        "var/root/Library/Application Support/Duplicati", "var/root/.config/Duplicati",
    ];

    public static IReadOnlyList<string> OfThisMachine()
    {
        IEnumerable<string> own = new[] { Environment.SpecialFolder.ApplicationData, Environment.SpecialFolder.LocalApplicationData }
            .Select(folder => Environment.GetFolderPath(folder)).Where(folder => folder.Length > 0).Select(folder => Path.Combine(folder, "Duplicati"));
        string[] roots = OperatingSystem.IsWindows()
            ? [.. DriveInfo.GetDrives().Where(drive => drive.DriveType == DriveType.Fixed && drive.IsReady).Select(drive => drive.Name)]
            : ["/"];
        return [.. own.Concat(roots.SelectMany(AtPlaces)).Select(DatabaseIn).Where(File.Exists).Distinct()];
    }

    /// <summary>The databases at the known places below a folder, else those that a search finds.</summary>
    public static IReadOnlyList<string> Below(string root, CancellationToken cancellationToken)
    {
        string[] known = [.. AtPlaces(root).Prepend(root).Select(DatabaseIn).Where(File.Exists).Distinct()];
        return known.Length > 0 ? known : Search(root, cancellationToken);
    }

    private static IEnumerable<string> AtPlaces(string root) => Places.SelectMany(place => place.Split('/').Aggregate(
        (IEnumerable<string>)[root],
        (folders, name) => name == "*" ? folders.SelectMany(FoldersIn) : folders.Select(folder => Path.Combine(folder, name))));

    private static List<string> Search(string root, CancellationToken cancellationToken)
    {
        List<string> found = [];
        List<string> level = [root];
        int left = MaxFolders;
        for (int depth = 0; depth < MaxDepth && level.Count > 0; depth++)
        {
            List<string> next = [];
            foreach (string folder in level)
            {
                cancellationToken.ThrowIfCancellationRequested();
                foreach (string child in FoldersIn(folder).Take(left))
                {
                    left--;
                    next.Add(child);
                    if (File.Exists(DatabaseIn(child)))
                    {
                        found.Add(DatabaseIn(child));
                    }
                }
            }

            level = next;
        }

        return found;
    }

    private static string[] FoldersIn(string folder)
    {
        EnumerationOptions options = new() { AttributesToSkip = FileAttributes.ReparsePoint, IgnoreInaccessible = true };
        try
        {
            return Directory.Exists(folder) ? [.. Directory.EnumerateDirectories(folder, "*", options).Order(StringComparer.Ordinal)] : [];
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return [];
        }
    }

    private static string DatabaseIn(string folder) => Path.Combine(folder, DuplicatiJobs.ServerDatabaseName);
}
