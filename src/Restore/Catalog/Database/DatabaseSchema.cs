namespace Restore.Catalog.Database;

/// <summary>
/// Checks that a database is the local database of a Duplicati job, and that the tables of its
/// version are known.
/// </summary>
internal static class DatabaseSchema
{
    // Version 9 introduced FileLookup and PathPrefix. Versions up to 19 added indexes, and columns
    // that no query here reads.
    private const long OldestVersion = 9;
    public const long NewestVersion = 19;

    /// <summary>
    /// The tables to read, each with the column that finds its rows (null: the table is only
    /// scanned). With those keys, and with the indexes below, every look-up takes logarithmic time,
    /// even in a hostile file. The view <c>File</c> is not used: the file defines what a view does.
    /// </summary>
    private static readonly (string Table, string? Key)[] Tables =
    [
        ("Configuration", null),
        ("Remotevolume", "ID"),
        ("Fileset", null),
        ("FilesetEntry", "FilesetID"),
        ("FileLookup", "ID"),
        ("PathPrefix", "ID"),
        ("Metadataset", "ID"),
        ("Blockset", "ID"),
        ("BlocksetEntry", "BlocksetID"),
        ("Block", "ID"),
        ("DuplicateBlock", null),
    ];

    /// <summary>The indexes that find rows by what they hold, with their columns.</summary>
    private static readonly (string Name, string Table, string Columns)[] Indexes =
    [
        ("BlocksetFullHash", "Blockset", "FullHash,Length"),
        ("BlockHashSize", "Block", "Hash,Size"),
    ];

    /// <returns>Its version.</returns>
    /// <exception cref="RestoreException">The file is not such a database, or its version is
    /// unknown.</exception>
    public static long Require(DatabaseFile file, DatabaseConnection connection)
    {
        Dictionary<string, string?> tables = ReadTables(connection);
        if (!tables.ContainsKey("Version") || !tables.ContainsKey("Remotevolume"))
        {
            throw file.Unusable("The file is an SQLite database, but not the local database of a Duplicati job");
        }

        using DatabaseQuery query = connection.Query("SELECT MAX(\"Version\") FROM \"Version\"");
        long version = query.Read() ? query.Number(0) : 0;
        if (version is < OldestVersion or > NewestVersion)
        {
            throw file.Unusable(
                $"The database is of version {version}; this program knows {OldestVersion} to {NewestVersion}"
            );
        }

        foreach ((string table, string? key) in Tables)
        {
            if (!tables.TryGetValue(table, out string? actual) || (key is not null && actual != key))
            {
                throw file.Unusable($"The database of version {version} has no table {table} as Duplicati makes it");
            }
        }

        foreach ((string name, string table, string columns) in Indexes)
        {
            using DatabaseQuery index = connection.Query(
                $"""
                SELECT group_concat("name") FROM (
                    SELECT c."name" FROM "sqlite_master" i, pragma_index_info(i."name") c
                    WHERE i."type" = 'index' AND i."name" = '{name}' AND i."tbl_name" = '{table}' ORDER BY c."seqno")
                """
            );
            if (!index.Read() || index.Text(0) != columns)
            {
                throw file.Unusable($"The database of version {version} has no index {name} as Duplicati makes it");
            }
        }

        return version;
    }

    /// <summary>
    /// Lists the real tables (with pages of their own) and the first column of their primary key.
    /// </summary>
    private static Dictionary<string, string?> ReadTables(DatabaseConnection connection)
    {
        Dictionary<string, string?> tables = new(StringComparer.Ordinal);
        using DatabaseQuery query = connection.Query(
            $"""
            SELECT t."name", (SELECT c."name" FROM pragma_table_info(t."name") c WHERE c."pk" = 1)
            FROM "sqlite_master" t WHERE t."type" = 'table' AND t."rootpage" > 0
            AND t."name" IN ('Version', {string.Join(", ", Tables.Select(table => $"'{table.Table}'"))})
            """
        );
        while (query.Read())
        {
            tables[query.Text(0)] = query.IsNull(1) ? null : query.Text(1);
        }

        return tables;
    }
}
