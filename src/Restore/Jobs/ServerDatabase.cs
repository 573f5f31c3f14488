using Restore.Catalog.Database;

namespace Restore.Jobs;

/// <summary>
/// Reads the jobs from the database of Duplicati's server, which is not trusted: at most 64 MiB of
/// text and 100,000 rows.
/// </summary>
internal static class ServerDatabase
{
    private const int MaxRows = 100_000;
    private const long MaxTextBytes = 64L << 20;
    private const long MaxSharedOptions = 1_000_000;

    private const string TooLarge = "The database has more settings than Duplicati makes";

    // Duplicati's number for options of all jobs.
    private const long AllJobs = -1;

    public static async Task<IReadOnlyList<DuplicatiJob>> ReadAsync(
        string path,
        SettingsKey key,
        CancellationToken cancellationToken
    )
    {
        DatabaseFile file = new(path, RestoreErrorCode.ServerDatabaseUnusable, RestoreErrorCode.ServerDatabaseNotFound);
        ServerTables tables = await file.ReadAsync(connection => Read(file, connection), cancellationToken)
            .ConfigureAwait(false);
        OptionRow[] shared = [.. tables.Options.Where(option => option.Job == AllJobs)];
        if ((long)shared.Length * tables.Backups.Count > MaxSharedOptions)
        {
            throw file.Unusable(TooLarge);
        }

        string folder = Path.GetDirectoryName(Path.GetFullPath(path))!;
        List<DuplicatiJob> jobs = [];
        foreach (BackupRow row in tables.Backups)
        {
            JobBuilder job = new(key, path, $"{row.Id}", row.Name)
            {
                DatabasePath = Absolute(folder, row.DatabasePath),
            };
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
        using (
            DatabaseQuery query = connection.Query(
                "SELECT COUNT(*) FROM \"sqlite_master\" WHERE \"type\" = 'table' AND \"rootpage\" > 0 AND \"name\" IN ('Backup', 'Option', 'Source', 'Filter')"
            )
        )
        {
            if (!query.Read() || query.Number(0) != 4)
            {
                throw file.Unusable("The file is an SQLite database, but not that of Duplicati's server");
            }
        }

        RowBudget budget = new(file);
        return new ServerTables(
            budget.Rows(
                connection,
                "SELECT \"ID\", \"Name\", \"TargetURL\", \"DBPath\" FROM \"Backup\" ORDER BY \"ID\"",
                query => new BackupRow(
                    query.Number(0),
                    budget.Text(query, 1),
                    budget.Text(query, 2),
                    budget.Text(query, 3)
                )
            ),
            budget.Rows(
                connection,
                "SELECT \"BackupID\", \"Name\", \"Value\" FROM \"Option\"",
                query => new OptionRow(query.Number(0), budget.Text(query, 1), budget.Text(query, 2))
            ),
            budget.Rows(
                connection,
                "SELECT \"BackupID\", \"Path\" FROM \"Source\"",
                query => (query.Number(0), budget.Text(query, 1))
            ),
            budget.Rows(
                connection,
                "SELECT \"BackupID\", \"Include\", \"Expression\" FROM \"Filter\" ORDER BY \"Order\"",
                query => (query.Number(0), query.Number(1) != 0, budget.Text(query, 2))
            )
        );
    }

    /// <summary>
    /// Since 2.3 the path of a local database can be relative to the server's folder.
    /// </summary>
    private static string? Absolute(string folder, string path) =>
        path.Length == 0 ? null
        : path[0] is '/' or '\\' || path is [_, ':', ..] ? path
        : Path.Combine(folder, path);

    private sealed record BackupRow(long Id, string Name, string Location, string DatabasePath);

    private sealed record OptionRow(long Job, string Name, string Value);

    private sealed record ServerTables(
        List<BackupRow> Backups,
        List<OptionRow> Options,
        List<(long Job, string Path)> Sources,
        List<(long Job, bool Include, string Expression)> Filters
    );

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
