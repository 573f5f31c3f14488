using Microsoft.Data.Sqlite;
using Restore.Catalog.Database;

namespace Restore.Maintenance.Database;

/// <summary>
/// Checks in a new database what Duplicati checks before it uses one: that it does not contradict
/// itself.
/// </summary>
internal sealed class DatabaseCheck(
    string path,
    int blockSizeBytes,
    int hashesPerBlocklist,
    CancellationToken cancellationToken
)
{
    // For each processor, while the tables of the rows are in memory still. More makes no
    // difference that can be measured with 1.8 million blocks.
    private const string Memory = "PRAGMA cache_size = -8192";

    private static readonly (string What, string Query)[] Rules =
    [
        (
            "a content has another length than its blocks together",
            """
            SELECT 1 FROM "Blockset" s WHERE s."Length" <> COALESCE((
                SELECT SUM(b."Size") FROM "BlocksetEntry" e CROSS JOIN "Block" b ON b."ID" = e."BlockID" WHERE e."BlocksetID" = s."ID"), 0)
            """
        ),
        (
            "a content has not the number of blocklists that its blocks need",
            """
            SELECT 1 FROM (SELECT s."ID" AS "ID", (s."Length" + {0} - 1) / {0} AS "Blocks" FROM "Blockset" s WHERE s."Length" > {0}) c
            WHERE (c."Blocks" + {1} - 1) / {1} <> (SELECT COUNT(*) FROM "BlocklistHash" h WHERE h."BlocksetID" = c."ID")
            """
        ),
        (
            "a short content has blocklists",
            """SELECT 1 FROM "BlocklistHash" h JOIN "Blockset" s ON s."ID" = h."BlocksetID" WHERE s."Length" <= {0}"""
        ),
        (
            "a file has no content",
            """SELECT 1 FROM "FileLookup" f WHERE f."BlocksetID" NOT IN (-100, -200) AND f."BlocksetID" NOT IN (SELECT "ID" FROM "Blockset")"""
        ),
        (
            "an entry has no path",
            """SELECT 1 FROM "FilesetEntry" WHERE "FileID" NOT IN (SELECT "ID" FROM "FileLookup")"""
        ),
        (
            "a path has no metadata that is there",
            """SELECT 1 FROM "FileLookup" WHERE "MetadataID" <> -1 AND "MetadataID" NOT IN (SELECT "ID" FROM "Metadataset")"""
        ),
        (
            "a metadata has no blocks",
            """SELECT 1 FROM "Metadataset" m WHERE NOT EXISTS (SELECT 1 FROM "BlocksetEntry" e WHERE e."BlocksetID" = m."BlocksetID")"""
        ),
        (
            "a version has no file list",
            """SELECT 1 FROM "Fileset" WHERE "VolumeID" NOT IN (SELECT "ID" FROM "Remotevolume" WHERE "Type" = 'Files')"""
        ),
        (
            "a file list has no version",
            """SELECT 1 FROM "Remotevolume" WHERE "Type" = 'Files' AND "ID" NOT IN (SELECT "VolumeID" FROM "Fileset")"""
        ),
        (
            "a block is in a volume that is not there",
            """SELECT 1 FROM "Block" WHERE "VolumeID" <> -1 AND "VolumeID" NOT IN (SELECT "ID" FROM "Remotevolume" WHERE "Type" = 'Blocks')"""
        ),
    ];

    // The integrity check of a table compares all its rows with all its indexes. The quick check is
    // for the file as a whole: each page is used once.
    private readonly ConcurrentQueue<Action<DatabaseConnection>> checks = [];

    /// <summary>
    /// Checks the rows, and the tables and indexes that hold them, on all processors.
    /// </summary>
    /// <exception cref="RestoreException">There is a contradiction.</exception>
    public async Task RunAsync()
    {
        try
        {
            foreach (string table in Tables())
            {
                checks.Enqueue(connection => RequireSound(connection, $"PRAGMA integrity_check(\"{table}\")"));
            }

            checks.Enqueue(connection => RequireSound(connection, "PRAGMA quick_check(1)"));
            foreach ((string what, string query) in Rules)
            {
                checks.Enqueue(connection => RequireNoRow(connection, what, query));
            }

            OwnThreads threads = new();
            await Task.WhenAll(Enumerable.Range(0, Environment.ProcessorCount).Select(_ => threads.RunAsync(RunSome)))
                .ConfigureAwait(false);
        }
        catch (SqliteException failure)
        {
            throw new RestoreException(
                RestoreErrorCode.OutputNotWritable,
                $"The new database cannot be read again: {failure.Reason()}",
                path,
                failure
            );
        }
    }

    private List<string> Tables()
    {
        using DatabaseConnection connection = new(path, cancellationToken);

        // The longest checks first, by rows and indexes: at the end, no processor works alone for
        // long.
        using DatabaseQuery query = connection.Query(
            """
            SELECT "name" FROM "sqlite_schema" t WHERE "type" = 'table'
            ORDER BY (SELECT MAX(CAST("stat" AS INTEGER)) FROM "sqlite_stat1" s WHERE s."tbl" = t."name")
                * (SELECT COUNT(*) FROM "sqlite_schema" i WHERE i."tbl_name" = t."name") DESC
            """
        );
        List<string> names = [];
        while (query.Read())
        {
            names.Add(query.Text(0));
        }

        return names;
    }

    private void RunSome()
    {
        using DatabaseConnection connection = new(path, cancellationToken);
        using (DatabaseQuery memory = connection.Query(Memory))
        {
            memory.Read();
        }

        while (checks.TryDequeue(out Action<DatabaseConnection>? check))
        {
            check(connection);
        }
    }

    private void RequireNoRow(DatabaseConnection connection, string what, string query)
    {
        string sql = query
            .Replace("{0}", $"{blockSizeBytes}", StringComparison.Ordinal)
            .Replace("{1}", $"{hashesPerBlocklist}", StringComparison.Ordinal);
        using DatabaseQuery rows = connection.Query(sql + " LIMIT 1");
        if (rows.Read())
        {
            throw new RestoreException(RestoreErrorCode.Unexpected, $"The new database contradicts itself: {what}");
        }
    }

    private static void RequireSound(DatabaseConnection connection, string check)
    {
        using DatabaseQuery answer = connection.Query(check);
        if (!answer.Read() || answer.Text(0) != "ok")
        {
            throw new RestoreException(RestoreErrorCode.Unexpected, $"The new database is damaged: {answer.Text(0)}");
        }
    }
}
