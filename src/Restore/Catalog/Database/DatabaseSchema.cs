namespace Restore.Catalog.Database;

/// <summary>Checks that a database is the local one of a Duplicati job, of a version whose tables are known.</summary>
internal static class DatabaseSchema
{
    // 9 brought FileLookup and PathPrefix; what came after it, up to 19, is indexes, and columns that nothing here asks for.
    private const long OldestVersion = 9;
    private const long NewestVersion = 19;

    /// <summary>
    /// The tables that are read, each with the column its rows are found by (null: it is only read from one end to the other).
    /// With those keys every look-up takes logarithmic time, whoever made the file. The view <c>File</c> is not used: what a view does is up to the file.
    /// </summary>
    private static readonly (string Table, string? Key)[] Tables =
    [
        ("Configuration", null), ("Remotevolume", "ID"), ("Fileset", null), ("FilesetEntry", "FilesetID"), ("FileLookup", "ID"), ("PathPrefix", "ID"),
        ("Metadataset", "ID"), ("Blockset", "ID"), ("BlocksetEntry", "BlocksetID"), ("Block", "ID"), ("DuplicateBlock", null),
    ];

    /// <exception cref="RestoreException">It is not, or its version is not known.</exception>
    public static void Require(DatabaseFile file, DatabaseConnection connection)
    {
        Dictionary<string, string?> tables = ReadTables(connection);
        if (!tables.ContainsKey("Version") || !tables.ContainsKey("Remotevolume"))
        {
            throw file.Unusable("The database is SQLite's, but not the local database of a Duplicati job");
        }

        using DatabaseQuery query = connection.Query("SELECT MAX(\"Version\") FROM \"Version\"");
        long version = query.Read() ? query.Number(0) : 0;
        if (version is < OldestVersion or > NewestVersion)
        {
            throw file.Unusable($"The database is of version {version}; this program knows {OldestVersion} to {NewestVersion}");
        }

        foreach ((string table, string? key) in Tables)
        {
            if (!tables.TryGetValue(table, out string? actual) || (key is not null && actual != key))
            {
                throw file.Unusable($"The database of version {version} has no table {table} as Duplicati makes it");
            }
        }
    }

    /// <summary>Lists the real tables, those that have pages of their own, with the first column of their primary key.</summary>
    private static Dictionary<string, string?> ReadTables(DatabaseConnection connection)
    {
        Dictionary<string, string?> tables = new(StringComparer.Ordinal);
        using DatabaseQuery query = connection.Query(
            """
            SELECT t."name", (SELECT c."name" FROM pragma_table_info(t."name") c WHERE c."pk" = 1)
            FROM "sqlite_master" t WHERE t."type" = 'table' AND t."rootpage" > 0 AND t."name" IN
            ('Version', 'Configuration', 'Remotevolume', 'Fileset', 'FilesetEntry', 'FileLookup', 'PathPrefix',
             'Metadataset', 'Blockset', 'BlocksetEntry', 'Block', 'DuplicateBlock')
            """);
        while (query.Read())
        {
            tables[query.Text(0)] = query.IsNull(1) ? null : query.Text(1);
        }

        return tables;
    }
}
