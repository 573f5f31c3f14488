namespace Restore.Maintenance.Database;

/// <summary>Asks a new database what Duplicati asks before it works with one: that it does not contradict itself.</summary>
internal static class DatabaseCheck
{
    /// <summary>Each finds rows that must not be there.</summary>
    private static readonly (string What, string Query)[] Rules =
    [
        ("a content has another length than its blocks together",
            """
            SELECT 1 FROM "Blockset" s LEFT JOIN (
                SELECT e."BlocksetID", SUM(b."Size") AS "Length" FROM "BlocksetEntry" e JOIN "Block" b ON b."ID" = e."BlockID" GROUP BY e."BlocksetID") t
            ON t."BlocksetID" = s."ID" WHERE s."Length" <> COALESCE(t."Length", 0)
            """),
        ("a content has not the number of blocklists that its blocks need",
            """
            SELECT 1 FROM (SELECT s."ID" AS "ID", (s."Length" + {0} - 1) / {0} AS "Blocks" FROM "Blockset" s WHERE s."Length" > {0}) c
            WHERE (c."Blocks" + {1} - 1) / {1} <> (SELECT COUNT(*) FROM "BlocklistHash" h WHERE h."BlocksetID" = c."ID")
            """),
        ("a short content has blocklists",
            """SELECT 1 FROM "BlocklistHash" h JOIN "Blockset" s ON s."ID" = h."BlocksetID" WHERE s."Length" <= {0}"""),
        ("a file has no content",
            """SELECT 1 FROM "FileLookup" f WHERE f."BlocksetID" NOT IN (-100, -200) AND f."BlocksetID" NOT IN (SELECT "ID" FROM "Blockset")"""),
        ("an entry has no path", """SELECT 1 FROM "FilesetEntry" WHERE "FileID" NOT IN (SELECT "ID" FROM "FileLookup")"""),
        ("a path has no metadata that is there",
            """SELECT 1 FROM "FileLookup" WHERE "MetadataID" <> -1 AND "MetadataID" NOT IN (SELECT "ID" FROM "Metadataset")"""),
        ("a metadata has no blocks", """SELECT 1 FROM "Metadataset" WHERE "BlocksetID" NOT IN (SELECT "BlocksetID" FROM "BlocksetEntry")"""),
        ("a version has no file list",
            """SELECT 1 FROM "Fileset" WHERE "VolumeID" NOT IN (SELECT "ID" FROM "Remotevolume" WHERE "Type" = 'Files')"""),
        ("a file list has no version", """SELECT 1 FROM "Remotevolume" WHERE "Type" = 'Files' AND "ID" NOT IN (SELECT "VolumeID" FROM "Fileset")"""),
        ("a block is in a volume that is not there",
            """SELECT 1 FROM "Block" WHERE "VolumeID" <> -1 AND "VolumeID" NOT IN (SELECT "ID" FROM "Remotevolume" WHERE "Type" = 'Blocks')"""),
    ];

    /// <summary>Checks the rows, and the tables and indexes that hold them.</summary>
    /// <exception cref="RestoreException">There is a contradiction.</exception>
    public static void Require(NewDatabase database, int blockSizeBytes, int hashesPerBlocklist)
    {
        foreach ((string what, string query) in Rules)
        {
            string sql = query.Replace("{0}", $"{blockSizeBytes}", StringComparison.Ordinal)
                .Replace("{1}", $"{hashesPerBlocklist}", StringComparison.Ordinal);
            using Statement statement = database.Prepare(sql + " LIMIT 1");
            if (statement.Read())
            {
                throw new RestoreException(RestoreErrorCode.Unexpected, $"The new database contradicts itself: {what}");
            }
        }

        using Statement integrity = database.Prepare("PRAGMA integrity_check(1)");
        if (!integrity.Read() || integrity.Text(0) != "ok")
        {
            throw new RestoreException(RestoreErrorCode.Unexpected, $"The new database is damaged: {integrity.Text(0)}");
        }
    }
}
