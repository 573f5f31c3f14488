using Microsoft.Data.Sqlite;
using Restore.Catalog.Database;
using SQLitePCL;

namespace Restore.Maintenance.Database;

/// <summary>
/// A database that is being made: one transaction without a journal in a file with a temporary
/// name, which gets its own name when it is whole.
/// </summary>
internal sealed class NewDatabase : IDisposable
{
    // SQLITE_BUSY, SQLITE_LOCKED and SQLITE_FULL.
    private const int Busy = 5;
    private const int Locked = 6;
    private const int Full = 13;

    // A run that fails discards the file, so a journal and synchronization would only cost time.
    // The cache holds pages of the tables that grow.
    private static readonly string Settings = $"""
        PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA temp_store = FILE;
        PRAGMA cache_size = -16384; PRAGMA mmap_size = 0; PRAGMA threads = {Math.Clamp(
            Environment.ProcessorCount - 1,
            1,
            4
        )};
        PRAGMA analysis_limit = 400
        """;

    private readonly string path;
    private readonly bool replaces;
    private readonly AtomicFile file;
    private readonly SqliteConnection connection;
    private readonly CancellationTokenRegistration interruption;
    private readonly RowWriter writer = new();
    private readonly List<Insertion> insertions = [];
    private readonly CancellationToken cancellationToken;

    private NewDatabase(string path, AtomicFile file, bool replaces, CancellationToken cancellationToken)
    {
        (this.path, this.file, this.replaces, this.cancellationToken) = (path, file, replaces, cancellationToken);
        SqliteConnectionStringBuilder settings = new()
        {
            DataSource = file.TemporaryPath,
            Mode = SqliteOpenMode.ReadWrite,
            Pooling = false,
        };
        if (!OperatingSystem.IsWindows())
        {
            // Without SQLite's own locks: on a network file system they would conflict with the
            // lock that shows that this program is still running.
            settings.Vfs = "unix-none";
        }

        try
        {
            connection = new SqliteConnection(settings.ToString());
            connection.Open();
        }
        catch
        {
            // No caller has this object yet, so its thread and its temporary file end here.
            connection?.Dispose();
            writer.Dispose();
            file.Dispose();
            throw;
        }

        sqlite3 handle = connection.Handle!;
        interruption = cancellationToken.Register(() => raw.sqlite3_interrupt(handle));
    }

    /// <param name="path">Where it will be.</param>
    /// <param name="replaces">Whether it replaces the content of an existing database. If not, the
    /// file must not exist.</param>
    /// <exception cref="RestoreException">The file exists, or it cannot be created.</exception>
    public static NewDatabase Create(string path, CancellationToken cancellationToken, bool replaces = false)
    {
        string full = Path.GetFullPath(path);
        if ((Path.Exists(full) && !replaces) || Path.EndsInDirectorySeparator(path))
        {
            throw new RestoreException(
                RestoreErrorCode.OutputExists,
                Directory.Exists(full) ? "The output is a folder" : "The output exists already",
                path
            );
        }

        try
        {
            // SQLite keeps the mode of an existing file. The file is private, because only the
            // owner may see the names of files.
            AtomicFile file = new(path, AtomicFileOptions.Private | AtomicFileOptions.Named);
            NewDatabase database = new(path, file, replaces, cancellationToken);
            try
            {
                database.Execute(Settings);
                database.Execute("BEGIN");
                database.Execute(DatabaseScript.Tables);
                return database;
            }
            catch
            {
                database.Dispose();
                throw;
            }
        }
        catch (Exception failure) when (failure is TypeInitializationException or DllNotFoundException)
        {
            throw new RestoreException(
                RestoreErrorCode.ProgramUnusable,
                DatabaseFile.LibraryMissing,
                innerException: failure
            );
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or SqliteException)
        {
            throw new RestoreException(
                WriteFailure.CodeOfOutput(failure),
                $"The output cannot be written: {failure.Reason()}",
                path,
                failure
            );
        }
    }

    public Insertion Insert(string table, params string[] columns)
    {
        Insertion insertion = new(this, writer, table, columns);
        insertions.Add(insertion);
        return insertion;
    }

    /// <summary>A query over all rows so far.</summary>
    public DatabaseQuery Prepare(string sql)
    {
        Flush();
        return Statement(sql);
    }

    /// <summary>A statement that reports its errors as failures of the new database.</summary>
    public DatabaseQuery Statement(string sql) =>
        new(connection.Handle!, sql, result => throw Failure(result), cancellationToken);

    public void Execute(string sql)
    {
        cancellationToken.ThrowIfCancellationRequested();
        Flush();
        int result = raw.sqlite3_exec(connection.Handle, sql);
        if (result != raw.SQLITE_OK)
        {
            throw Failure(result);
        }
    }

    /// <summary>
    /// Ends the transaction, and gives the file its name once it is checked and the device has it.
    /// </summary>
    public async Task<long> CompleteAsync(Func<string, Task> check)
    {
        Execute("COMMIT");
        Close();
        await check(file.TemporaryPath).ConfigureAwait(false);
        try
        {
            if (!replaces)
            {
                return file.Commit();
            }

            long length = file.Flush();
            CopyOver();
            return length;
        }
        catch (SqliteException failure) when (failure.SqliteErrorCode is Busy or Locked)
        {
            throw new RestoreException(
                RestoreErrorCode.DatabaseUnusable,
                "Another program uses the database, so it stays as it was",
                path,
                failure
            );
        }
        catch (SqliteException failure)
        {
            throw failure.SqliteErrorCode == Full
                ? new RestoreException(
                    RestoreErrorCode.OutputFull,
                    "There is no space left to replace the database, so it stays as it was",
                    path,
                    failure
                )
                : new RestoreException(
                    RestoreErrorCode.OutputNotWritable,
                    $"The database cannot be written: {failure.Reason()}",
                    path,
                    failure
                );
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new RestoreException(
                WriteFailure.CodeOfOutput(failure),
                $"The output cannot be written: {failure.Reason()}",
                path,
                failure
            );
        }
    }

    private Exception Failure(int result)
    {
        cancellationToken.ThrowIfCancellationRequested();
        string message = raw.sqlite3_errmsg(connection.Handle).utf8_to_string();
        return result == Full
            ? new RestoreException(
                RestoreErrorCode.OutputFull,
                "There is no space left for the output, or for the sorting of its indexes",
                path
            )
            : new RestoreException(
                RestoreErrorCode.OutputNotWritable,
                $"The output cannot be written: {message}",
                path
            );
    }

    public void Dispose()
    {
        writer.Dispose();
        Close();
        connection.Dispose();
        file.Dispose();
    }

    /// <summary>
    /// Puts the content into the existing file, in one SQLite transaction. Whenever this ends, the
    /// file has the old or the new content, and keeps its owner, mode and links. A rename would not
    /// keep them, and a program that has the file open would continue with the old one without
    /// notice.
    /// </summary>
    private void CopyOver()
    {
        SqliteConnectionStringBuilder from = new()
        {
            DataSource = file.TemporaryPath,
            Mode = SqliteOpenMode.ReadOnly,
            Pooling = false,
        };
        SqliteConnectionStringBuilder to = new()
        {
            DataSource = Path.GetFullPath(path),
            Mode = SqliteOpenMode.ReadWrite,
            Pooling = false,
        };
        using SqliteConnection source = new(from.ToString());
        using SqliteConnection target = new(to.ToString());
        source.Open();
        target.Open();
        raw.sqlite3_exec(target.Handle, "PRAGMA synchronous = FULL");
        source.BackupDatabase(target);
    }

    private void Flush()
    {
        insertions.ForEach(insertion => insertion.Send());
        writer.Flush();
    }

    private void Close()
    {
        // An interruption from here on would meet a closed connection.
        interruption.Dispose();
        insertions.ForEach(insertion => insertion.Dispose());
        connection.Close();
    }
}
