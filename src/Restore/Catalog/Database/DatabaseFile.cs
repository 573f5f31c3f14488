using Microsoft.Data.Sqlite;

namespace Restore.Catalog.Database;

/// <summary>
/// A SQLite file that is only read: nothing in its folder is created, changed or removed, whether it was closed properly, was left by a crash,
/// or is in use.
/// </summary>
internal sealed class DatabaseFile
{
    public const string LibraryMissing = "The SQLite library (e_sqlite3) cannot be loaded on this system";

    private static readonly string[] FileSuffixes = ["", "-wal", "-shm", "-journal"];

    private const int HeaderBytes = 100;
    private const int WriteVersionOffset = 18;
    private const int EncodingOffset = 56;
    private const byte WriteAheadLog = 2;
    private const byte Utf8 = 1;

    private const int NotADatabase = 26;
    private const int Corrupt = 11;
    private const int TooBig = 18;
    private const int Generic = 1;
    private const int Busy = 5;
    private const int Locked = 6;
    private const int ReadOnly = 8;
    private const int CannotOpen = 14;

    private readonly OwnThreads threads = new();
    private readonly string fullPath;

    private readonly string unusable;
    private readonly string notFound;

    /// <param name="notFound">The code if there is no such file.</param>
    public DatabaseFile(
        string path, string unusable = RestoreErrorCode.DatabaseUnusable, string notFound = RestoreErrorCode.DatabaseNotFound)
    {
        (this.unusable, this.notFound) = (unusable, notFound);
        DisplayPath = path;
        fullPath = path.Contains('\0') ? path : Path.GetFullPath(path);
    }

    public string DisplayPath { get; }

    /// <summary>Opens a connection for <paramref name="read"/> and closes it afterwards. Any number can be open concurrently.</summary>
    /// <exception cref="RestoreException">The database cannot be read; the message says why.</exception>
    public Task<T> ReadAsync<T>(Func<DatabaseConnection, T> read, CancellationToken cancellationToken) =>
        threads.RunAsync(() => Read(read, cancellationToken));

    private T Read<T>(Func<DatabaseConnection, T> read, CancellationToken cancellationToken)
    {
        try
        {
            (string location, bool isImmutable) = Locate();
            (long, DateTime) before = Stamp();
            using DatabaseConnection connection = new(location, cancellationToken);
            T result = read(connection);
            return !isImmutable || Stamp() == before ? result : throw Unusable("The database was changed while it was read");
        }
        catch (SqliteException failure)
        {
            throw Unusable(ReasonOf(failure), failure);
        }
        catch (Exception failure) when (failure is TypeInitializationException or DllNotFoundException)
        {
            throw Unusable(LibraryMissing, failure);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw Unusable($"The database cannot be read: {failure.Reason()}", failure);
        }
    }

    /// <summary>Says of a database that cannot be used that the volumes take its place.</summary>
    public static string NotNeeded(RestoreException failure) => $"{failure.What}; it is not needed, the volumes are read";

    public RestoreException Unusable(string what, Exception? cause = null) =>
        new(unusable, what, DisplayPath, cause);

    /// <summary>
    /// Finds a way to open the file without leaving a trace. SQLite creates a log and its index beside a database in write-ahead mode even to read it. So
    /// without a log the file is opened as immutable; with a log, the index of the log must exist and is not written.
    /// </summary>
    private (string Location, bool IsImmutable) Locate()
    {
        byte mode = ReadHeader();
        FileInfo log = new(fullPath + "-wal");
        bool hasIndex = File.Exists(fullPath + "-shm");
        string path = fullPath.Replace('\\', '/');
        string url = $"file://{(path.StartsWith('/') ? "" : "/")}{Uri.EscapeDataString(path).Replace("%2F", "/", StringComparison.Ordinal)}";
        if (log.Exists && hasIndex)
        {
            return (url + "?readonly_shm=1", false);
        }

        if (log.Exists && log.Length > 0)
        {
            string name = Path.GetFileName(fullPath);
            throw Unusable(
                $"The database has a write-ahead log beside it ({name}-wal) without its index ({name}-shm, which may be an empty file), "
                + "and this program does not make one, since it changes nothing beside a database");
        }

        return mode == WriteAheadLog ? (url + "?immutable=1", true) : (url, false);
    }

    /// <summary>Reads from the header of the file whether it is in write-ahead mode.</summary>
    private byte ReadHeader()
    {
        if (!File.Exists(fullPath))
        {
            throw new RestoreException(
                notFound, Directory.Exists(fullPath) ? "The database is a folder" : "There is no such database", DisplayPath);
        }

        if (FileSuffixes.FirstOrDefault(suffix => SpecialFile.IsPipe(fullPath + suffix)) is string special)
        {
            string name = Path.GetFileName(fullPath);
            throw Unusable(special.Length == 0 ? "The database is a pipe or a device" : $"{name}{special} beside the database is a pipe or a device");
        }

        Span<byte> header = stackalloc byte[HeaderBytes];
        using FileStream file = new(fullPath, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0);
        int length = file.ReadAtLeast(header, HeaderBytes, throwOnEndOfStream: false);
        if (length == 0)
        {
            throw Unusable("The database is an empty file");
        }

        if (length < HeaderBytes || !header.StartsWith("SQLite format 3\0"u8))
        {
            throw Unusable("The file is not an SQLite database");
        }

        return header[EncodingOffset + 3] == Utf8
            ? header[WriteVersionOffset]
            : throw Unusable("The database uses another text encoding than UTF-8, which Duplicati's never do");
    }

    private (long LengthBytes, DateTime Changed) Stamp()
    {
        FileInfo file = new(fullPath);
        return (file.Length, file.LastWriteTimeUtc);
    }

    private static string ReasonOf(SqliteException failure) => failure.SqliteErrorCode switch
    {
        NotADatabase => "The file is not an SQLite database",
        Corrupt => "The database is damaged",
        TooBig => $"The database has a value longer than {DatabaseConnection.MaxValueBytes:N0} bytes, as Duplicati's never do",
        Generic => $"The database lacks the tables and columns of a Duplicati job: {failure.Reason()}",
        Busy or Locked => "The database is locked by another program",
        ReadOnly or CannotOpen =>
            "The database has an unfinished change, which Duplicati must undo first, or it cannot be opened: " + failure.Reason(),
        _ => $"The database cannot be read: {failure.Reason()}",
    };
}

/// <summary>Checks that a database is the local database of a Duplicati job, in a version whose tables are known.</summary>
internal static class DatabaseSchema
{
    // Version 9 introduced FileLookup and PathPrefix. Versions up to 19 added indexes, and columns that no query here reads.
    private const long OldestVersion = 9;
    public const long NewestVersion = 19;

    /// <summary>
    /// The tables to read, each with the column that finds its rows (null: the table is only scanned).
    /// With those keys, and with the indexes below, every look-up takes logarithmic time, even in a hostile file. The view <c>File</c> is not used: the file
    /// defines what a view does.
    /// </summary>
    private static readonly (string Table, string? Key)[] Tables =
    [
        ("Configuration", null), ("Remotevolume", "ID"), ("Fileset", null), ("FilesetEntry", "FilesetID"), ("FileLookup", "ID"), ("PathPrefix", "ID"),
        ("Metadataset", "ID"), ("Blockset", "ID"), ("BlocksetEntry", "BlocksetID"), ("Block", "ID"), ("DuplicateBlock", null),
    ];

    /// <summary>The indexes that find rows by what they hold, with their columns.</summary>
    private static readonly (string Name, string Table, string Columns)[] Indexes =
    [
        ("BlocksetFullHash", "Blockset", "FullHash,Length"), ("BlockHashSize", "Block", "Hash,Size"),
    ];

    /// <returns>Its version.</returns>
    /// <exception cref="RestoreException">The file is not such a database, or its version is unknown.</exception>
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
            throw file.Unusable($"The database is of version {version}; this program knows {OldestVersion} to {NewestVersion}");
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
                """);
            if (!index.Read() || index.Text(0) != columns)
            {
                throw file.Unusable($"The database of version {version} has no index {name} as Duplicati makes it");
            }
        }

        return version;
    }

    /// <summary>Lists the real tables (with pages of their own) and the first column of their primary key.</summary>
    private static Dictionary<string, string?> ReadTables(DatabaseConnection connection)
    {
        Dictionary<string, string?> tables = new(StringComparer.Ordinal);
        using DatabaseQuery query = connection.Query(
            $"""
            SELECT t."name", (SELECT c."name" FROM pragma_table_info(t."name") c WHERE c."pk" = 1)
            FROM "sqlite_master" t WHERE t."type" = 'table' AND t."rootpage" > 0
            AND t."name" IN ('Version', {string.Join(", ", Tables.Select(table => $"'{table.Table}'"))})
            """);
        while (query.Read())
        {
            tables[query.Text(0)] = query.IsNull(1) ? null : query.Text(1);
        }

        return tables;
    }
}
