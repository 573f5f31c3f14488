using Microsoft.Data.Sqlite;

namespace Restore.Catalog.Database;

/// <summary>
/// A SQLite file that is only read: nothing in its folder is created, changed or removed, whether
/// it was closed properly, was left by a crash, or is in use.
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
        string path,
        string unusable = RestoreErrorCode.DatabaseUnusable,
        string notFound = RestoreErrorCode.DatabaseNotFound
    )
    {
        (this.unusable, this.notFound) = (unusable, notFound);
        DisplayPath = path;
        fullPath = path.Contains('\0') ? path : Path.GetFullPath(path);
    }

    public string DisplayPath { get; }

    /// <summary>
    /// Opens a connection for <paramref name="read"/> and closes it afterwards. Any number can be
    /// open concurrently.
    /// </summary>
    /// <exception cref="RestoreException">The database cannot be read; the message says
    /// why.</exception>
    public Task<T> ReadAsync<T>(Func<DatabaseConnection, T> read, CancellationToken cancellationToken) =>
        threads.RunAsync(() => Read(read, cancellationToken));

    private T Read<T>(Func<DatabaseConnection, T> read, CancellationToken cancellationToken)
    {
        try
        {
            (string location, bool isImmutable) = Locate();

            // SQLite takes no locks on an immutable file, so a writer can mix old and new pages in
            // the result. A change of the length or the time shows this afterwards.
            (long, DateTime) before = Stamp();
            using DatabaseConnection connection = new(location, cancellationToken);
            T result = read(connection);
            return !isImmutable || Stamp() == before
                ? result
                : throw Unusable("The database was changed while it was read");
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
    public static string NotNeeded(RestoreException failure) =>
        $"{failure.What}; it is not needed, the volumes are read";

    public RestoreException Unusable(string what, Exception? cause = null) => new(unusable, what, DisplayPath, cause);

    /// <summary>
    /// Finds a way to open the file without leaving a trace. SQLite creates a log and its index
    /// beside a database in write-ahead mode even to read it. So without a log the file is opened
    /// as immutable; with a log, the index of the log must exist and is not written.
    /// </summary>
    private (string Location, bool IsImmutable) Locate()
    {
        byte mode = ReadHeader();

        // The files decide how the database is opened:
        // 1. A log and its index exist: the database is in use or was left by a crash. SQLite reads
        //    the log, and with readonly_shm does not write to the index.
        // 2. A log with content has no index: refused. SQLite would create the index, and without
        //    the log the database may be torn.
        // 3. Write-ahead mode without a log: all changes are in the file. It is opened as
        //    immutable, because SQLite otherwise creates both files even to read.
        // 4. Any other mode: a read-only connection creates nothing.
        FileInfo log = new(fullPath + "-wal");
        bool hasIndex = File.Exists(fullPath + "-shm");
        string path = fullPath.Replace('\\', '/');
        string url =
            $"file://{(path.StartsWith('/') ? "" : "/")}{Uri.EscapeDataString(path).Replace("%2F", "/", StringComparison.Ordinal)}";
        if (log.Exists && hasIndex)
        {
            return (url + "?readonly_shm=1", false);
        }

        if (log.Exists && log.Length > 0)
        {
            string name = Path.GetFileName(fullPath);
            throw Unusable(
                $"The database has a write-ahead log beside it ({name}-wal) without its index ({name}-shm, which may be an empty file), "
                    + "and this program does not make one, since it changes nothing beside a database"
            );
        }

        return mode == WriteAheadLog ? (url + "?immutable=1", true) : (url, false);
    }

    /// <summary>Reads from the header of the file whether it is in write-ahead mode.</summary>
    private byte ReadHeader()
    {
        if (!File.Exists(fullPath))
        {
            throw new RestoreException(
                notFound,
                Directory.Exists(fullPath) ? "The database is a folder" : "There is no such database",
                DisplayPath
            );
        }

        // Opening a pipe blocks until a writer opens it too, and SQLite opens the files beside the
        // database as well.
        if (FileSuffixes.FirstOrDefault(suffix => SpecialFile.IsPipe(fullPath + suffix)) is string special)
        {
            string name = Path.GetFileName(fullPath);
            throw Unusable(
                special.Length == 0
                    ? "The database is a pipe or a device"
                    : $"{name}{special} beside the database is a pipe or a device"
            );
        }

        Span<byte> header = stackalloc byte[HeaderBytes];
        using FileStream file = new(
            fullPath,
            FileMode.Open,
            FileAccess.Read,
            FileShare.ReadWrite | FileShare.Delete,
            bufferSize: 0
        );
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

    private static string ReasonOf(SqliteException failure) =>
        failure.SqliteErrorCode switch
        {
            NotADatabase => "The file is not an SQLite database",
            Corrupt => "The database is damaged",
            TooBig =>
                $"The database has a value longer than {DatabaseConnection.MaxValueBytes:N0} bytes, as Duplicati's never do",
            Generic => $"The database lacks the tables and columns of a Duplicati job: {failure.Reason()}",
            Busy or Locked => "The database is locked by another program",
            ReadOnly or CannotOpen =>
                "The database has an unfinished change, which Duplicati must undo first, or it cannot be opened: "
                    + failure.Reason(),
            _ => $"The database cannot be read: {failure.Reason()}",
        };
}
