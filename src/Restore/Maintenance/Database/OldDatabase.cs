using Microsoft.Data.Sqlite;
using Restore.Catalog.Database;
using SQLitePCL;

namespace Restore.Maintenance.Database;

/// <summary>
/// The existing local database. What only it knows is copied to the database that replaces it.
/// </summary>
internal sealed class OldDatabase(string path)
{
    // Limit of a log entry. Answers to listings are the longest, and the log of remote operations
    // must not make the update fail.
    private const int MaxDataBytes = 1 << 20;

    // What SQLite keeps beside a database while it is in use.
    private static readonly string[] Ends = ["-wal", "-shm", "-journal"];

    private readonly DatabaseFile file = new(path);

    /// <summary>
    /// Whether it describes the backup as it is. A transaction that a killed program left in it is
    /// rolled back before.
    /// </summary>
    /// <exception cref="RestoreException">It belongs to another backup, is of another version than
    /// a new one, in use, or unusable.</exception>
    public async Task<bool> IsTrueAsync(VolumeSet volumes, CancellationToken cancellationToken)
    {
        RollBack();
        foreach (string beside in Ends.Where(end => File.Exists(path + end)))
        {
            throw file.Unusable(
                $"The database is in use, or the program that used it did not end well: there is {Path.GetFileName(path)}{beside} beside it"
            );
        }

        return await file.ReadAsync(IsTrue, cancellationToken).ConfigureAwait(false);

        bool IsTrue(DatabaseConnection connection)
        {
            DatabaseOverview overview = DatabaseOverview.Read(file, connection, volumes);
            return overview.SchemaVersion == DatabaseScript.SchemaVersion
                ? overview.Issues.Count == 0
                : throw file.Unusable(
                    $"The database is of version {overview.SchemaVersion}, and a new one is of version {DatabaseScript.SchemaVersion}, which the Duplicati "
                        + "that made it may not read: let a newer Duplicati open it first"
                );
        }
    }

    /// <summary>
    /// Does what SQLite does in each program that opens the database for writing. If another
    /// program uses the database, the journal stays.
    /// </summary>
    private void RollBack()
    {
        string journal = path + Ends[^1];
        if (!File.Exists(journal) || SpecialFile.IsPipe(journal))
        {
            return;
        }

        try
        {
            SqliteConnectionStringBuilder settings = new()
            {
                DataSource = Path.GetFullPath(path),
                Mode = SqliteOpenMode.ReadWrite,
                Pooling = false,
            };
            using SqliteConnection connection = new(settings.ToString());
            connection.Open();

            // A journal without a head is left by a program that was killed before it changed the
            // database, and SQLite leaves it too.
            if (
                raw.sqlite3_exec(connection.Handle, "BEGIN EXCLUSIVE") == raw.SQLITE_OK
                && File.Exists(journal)
                && !HasHead(journal)
            )
            {
                File.Delete(journal);
            }
        }
        catch (Exception failure) when (failure is SqliteException or IOException or UnauthorizedAccessException)
        {
            // The journal stays, and is named.
        }
    }

    /// <summary>
    /// Whether SQLite regards a file as a journal: its first byte is written last.
    /// </summary>
    private static bool HasHead(string journal)
    {
        using FileStream file = File.OpenRead(journal);
        return file.ReadByte() > 0;
    }

    /// <summary>What it has of volumes beyond names, lengths and hashes, by their names.</summary>
    public Task<Dictionary<string, VolumeFacts>> ReadVolumesAsync(CancellationToken cancellationToken) =>
        file.ReadAsync(
            connection =>
            {
                Dictionary<string, VolumeFacts> facts = new(StringComparer.Ordinal);
                using DatabaseQuery rows = connection.Query(
                    """SELECT "Name", "VerificationCount", "DeleteGraceTime", "ArchiveTime", "LockExpirationTime" FROM "Remotevolume" """
                );
                while (rows.Read())
                {
                    facts[rows.Text(0)] = new VolumeFacts(
                        rows.Number(1),
                        rows.Number(2),
                        rows.Number(3),
                        rows.Number(4)
                    );
                }

                return facts;
            },
            cancellationToken
        );

    /// <summary>
    /// Copies the settings that are not in <paramref name="settings"/> and the logs. Its operations
    /// get the next higher numbers.
    /// </summary>
    public Task CopyAsync(NewDatabase database, IReadOnlySet<string> settings, CancellationToken cancellationToken) =>
        file.ReadAsync(
            connection =>
            {
                Copy(
                    connection,
                    database,
                    """SELECT "Key", "Value" FROM "Configuration" """,
                    "Configuration",
                    ["Key", "Value"],
                    key => !settings.Contains(key)
                );
                Copy(
                    connection,
                    database,
                    """SELECT "ID" + 1, "Description", "Timestamp" FROM "Operation" WHERE "ID" > 0 ORDER BY "ID" """,
                    "Operation",
                    ["ID", "Description", "Timestamp"]
                );
                Copy(
                    connection,
                    database,
                    """SELECT "ID", "OperationID" + 1, "Timestamp", "Type", "Message", "Exception" FROM "LogData" ORDER BY "ID" """,
                    "LogData",
                    ["ID", "OperationID", "Timestamp", "Type", "Message", "Exception"]
                );
                Copy(
                    connection,
                    database,
                    $"""
                    SELECT "ID", "OperationID" + 1, "Timestamp", "Operation", "Path", CASE WHEN length("Data") <= {MaxDataBytes} THEN "Data" END
                    FROM "RemoteOperation" ORDER BY "ID"
                    """,
                    "RemoteOperation",
                    ["ID", "OperationID", "Timestamp", "Operation", "Path", "Data"]
                );
                return true;
            },
            cancellationToken
        );

    private static void Copy(
        DatabaseConnection connection,
        NewDatabase database,
        string sql,
        string table,
        string[] columns,
        Predicate<string>? takes = null
    )
    {
        Insertion insert = database.Insert(table, columns);
        using DatabaseQuery rows = connection.Query(sql);
        while (rows.Read())
        {
            if (takes is not null && !takes(rows.Text(0)))
            {
                continue;
            }

            for (int column = 0; column < columns.Length; column++)
            {
                Add(insert, rows, column);
            }

            insert.Run();
        }
    }

    private static void Add(Insertion insert, DatabaseQuery rows, int column)
    {
        if (rows.IsNull(column))
        {
            insert.Add((string?)null);
        }
        else if (rows.IsNumber(column))
        {
            insert.Add(rows.Number(column));
        }
        else
        {
            insert.Add(rows.Utf8(column));
        }
    }
}

/// <summary>What Duplicati keeps of a volume for itself.</summary>
internal readonly record struct VolumeFacts(
    long Verifications,
    long DeleteGraceTime,
    long ArchiveTime,
    long LockExpirationTime
);
