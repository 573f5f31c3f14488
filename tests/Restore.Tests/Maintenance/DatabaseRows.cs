using Microsoft.Data.Sqlite;

namespace Restore.Tests.Maintenance;

/// <summary>
/// The rows of a local database as texts that do not depend on how rows are numbered.
/// </summary>
internal static class DatabaseRows
{
    /// <summary>
    /// The tables, each with what its rows mean. What only the run itself decides is left out:
    /// times of operations, logs, salts.
    /// </summary>
    public static readonly IReadOnlyDictionary<string, string> Queries = new Dictionary<string, string>
    {
        ["Remotevolume"] =
            "SELECT Name, Type, Size, Hash, State, DeleteGraceTime, ArchiveTime, LockExpirationTime FROM Remotevolume",
        ["IndexBlockLink"] =
            "SELECT i.Name, b.Name FROM IndexBlockLink l JOIN Remotevolume i ON i.ID = l.IndexVolumeID JOIN Remotevolume b ON b.ID = l.BlockVolumeID",
        ["Fileset"] =
            "SELECT v.Name, s.IsFullBackup, s.Timestamp, v.OperationID > 0 FROM Fileset s JOIN Remotevolume v ON v.ID = s.VolumeID",
        ["PathPrefix"] = "SELECT Prefix FROM PathPrefix",
        ["FileLookup"] = """
            SELECT p.Prefix, f.Path, MIN(f.BlocksetID, 0), s.FullHash, s.Length, MIN(f.MetadataID, 0), ms.FullHash FROM FileLookup f
            JOIN PathPrefix p ON p.ID = f.PrefixID LEFT JOIN Blockset s ON s.ID = f.BlocksetID LEFT JOIN Metadataset m ON m.ID = f.MetadataID
            LEFT JOIN Blockset ms ON ms.ID = m.BlocksetID
            """,
        ["File"] = "SELECT Path FROM File",
        ["Blockset"] = "SELECT FullHash, Length FROM Blockset",
        ["BlocksetEntry"] = """
            SELECT s.FullHash, s.Length, e."Index", b.Hash, b.Size FROM BlocksetEntry e JOIN Blockset s ON s.ID = e.BlocksetID
            JOIN Block b ON b.ID = e.BlockID
            """,
        ["BlocklistHash"] =
            "SELECT s.FullHash, h.\"Index\", h.Hash FROM BlocklistHash h JOIN Blockset s ON s.ID = h.BlocksetID",
        ["Block"] = "SELECT b.Hash, b.Size, v.Name FROM Block b LEFT JOIN Remotevolume v ON v.ID = b.VolumeID",
        ["DeletedBlock"] =
            "SELECT b.Hash, b.Size, v.Name FROM DeletedBlock b LEFT JOIN Remotevolume v ON v.ID = b.VolumeID",
        ["DuplicateBlock"] =
            "SELECT b.Hash, b.Size, v.Name FROM DuplicateBlock d JOIN Block b ON b.ID = d.BlockID LEFT JOIN Remotevolume v ON v.ID = d.VolumeID",
        ["Metadataset"] =
            "SELECT s.FullHash, s.Length, m.Content FROM Metadataset m JOIN Blockset s ON s.ID = m.BlocksetID",
        ["Version"] = "SELECT Version FROM Version",
        ["Configuration"] =
            "SELECT Key, Value FROM Configuration WHERE Key NOT IN ('passphrase', 'passphrase-salt', 'dblock-size')",
        ["ChangeJournalData"] = "SELECT COUNT(*) FROM ChangeJournalData",
        ["the schema"] = """
            SELECT t.type, t.name, c.cid, c.name, c.type, c."notnull", c.pk FROM sqlite_master t JOIN pragma_table_info(t.name) c
            WHERE t.type IN ('table', 'view') AND t.name NOT LIKE 'sqlite_%'
            """,
        ["the indexes"] = """
            SELECT t.name, i.name, i."unique", c.seqno, c.name FROM sqlite_master t JOIN pragma_index_list(t.name) i JOIN pragma_index_info(i.name) c
            WHERE t.type = 'table'
            """,
    };

    /// <summary>
    /// The entries of versions: a recreated database has the times of the lists, one of a job those
    /// of the files.
    /// </summary>
    public static string Entries(bool withTimes) =>
        $"""
            SELECT s.Timestamp, f.Path, b.FullHash, {(
                withTimes ? "e.Lastmodified" : "0"
            )} FROM FilesetEntry e JOIN Fileset s ON s.ID = e.FilesetID
            JOIN File f ON f.ID = e.FileID LEFT JOIN Blockset b ON b.ID = f.BlocksetID
            """;

    public static string[] Of(string database, string query)
    {
        using SqliteConnection connection = new($"Data Source={database};Mode=ReadOnly;Pooling=False");
        connection.Open();
        using SqliteCommand command = connection.CreateCommand();
        command.CommandText = query;
        using SqliteDataReader reader = command.ExecuteReader();
        List<string> rows = [];
        while (reader.Read())
        {
            rows.Add(
                string.Join(
                    " | ",
                    Enumerable
                        .Range(0, reader.FieldCount)
                        .Select(column => reader.IsDBNull(column) ? "-" : reader.GetString(column))
                )
            );
        }

        return [.. rows.Order(StringComparer.Ordinal)];
    }

    public static long Count(string database, string table) =>
        long.Parse(Of(database, $"SELECT COUNT(*) FROM {table}").Single());
}
