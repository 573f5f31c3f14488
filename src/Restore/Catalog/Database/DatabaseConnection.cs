using Microsoft.Data.Sqlite;
using SQLitePCL;

namespace Restore.Catalog.Database;

/// <summary>A read-only connection to an untrusted database.</summary>
internal sealed class DatabaseConnection : IDisposable
{
    /// <summary>Limit for a text or row; paths are the longest, and have at most 1 MiB.</summary>
    public const int MaxValueBytes = 4 << 20;

    // Duplicati commits in less time. A longer wait means that a program has locked the whole
    // database, as during a backup, and a restore does not need the database.
    private const int BusySeconds = 2;

    // Without trust, the schema cannot run functions with side effects. Without automatic indexes,
    // no query takes memory in proportion to a table. 16 MiB hold the inner pages of the trees of a
    // database of about 10 GB. No memory map: a file that shrinks under a map ends the process.
    private const string Settings = """
        PRAGMA trusted_schema = OFF; PRAGMA query_only = ON; PRAGMA cell_size_check = ON; PRAGMA automatic_index = OFF;
        PRAGMA temp_store = MEMORY; PRAGMA cache_size = -16384; PRAGMA mmap_size = 0
        """;

    private readonly SqliteConnection connection;
    private readonly CancellationToken cancellationToken;
    private readonly CancellationTokenRegistration interruption;

    public DatabaseConnection(string location, CancellationToken cancellationToken)
    {
        this.cancellationToken = cancellationToken;

        // A pooled connection keeps the file open after it is disposed, and the file belongs to
        // Duplicati.
        SqliteConnectionStringBuilder settings = new()
        {
            DataSource = location,
            Mode = SqliteOpenMode.ReadOnly,
            Pooling = false,
            DefaultTimeout = BusySeconds,
        };
        connection = new SqliteConnection(settings.ToString());
        try
        {
            connection.Open();
            sqlite3 handle = connection.Handle!;

            // DefaultTimeout covers only commands of SqliteConnection. DatabaseQuery calls SQLite
            // directly and needs the timeout of the library.
            raw.sqlite3_busy_timeout(handle, BusySeconds * 1000);
            raw.sqlite3_limit(handle, raw.SQLITE_LIMIT_LENGTH, MaxValueBytes);

            Execute(Settings);

            // One step of a query can read a whole table, and nothing else stops it.
            interruption = cancellationToken.Register(() => raw.sqlite3_interrupt(handle));
        }
        catch
        {
            connection.Dispose();
            throw;
        }
    }

    public DatabaseQuery Query(string sql, params ReadOnlySpan<long> parameters)
    {
        sqlite3 handle = connection.Handle!;
        DatabaseQuery query = new(
            handle,
            sql,
            result => SqliteException.ThrowExceptionForRC(result, handle),
            cancellationToken
        );
        query.Restart(parameters);
        return query;
    }

    public void Dispose()
    {
        interruption.Dispose();
        connection.Dispose();
    }

    private void Execute(string sql)
    {
        using SqliteCommand command = connection.CreateCommand();
#pragma warning disable CA2100 // Receives constants only.
        command.CommandText = sql;
#pragma warning restore CA2100
        command.ExecuteNonQuery();
    }
}
