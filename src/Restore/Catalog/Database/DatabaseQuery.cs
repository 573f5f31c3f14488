using System.Buffers;
using System.Buffers.Text;
using System.Text;
using Microsoft.Data.Sqlite;
using SQLitePCL;

namespace Restore.Catalog.Database;

/// <summary>A query that is read row by row, with texts as spans of SQLite's own memory: no object for a row.</summary>
internal sealed class DatabaseQuery : IDisposable
{
    private readonly sqlite3 connection;
    private readonly sqlite3_stmt statement;
    private readonly CancellationToken cancellationToken;

    public DatabaseQuery(sqlite3 connection, string sql, CancellationToken cancellationToken)
    {
        this.connection = connection;
        this.cancellationToken = cancellationToken;
        SqliteException.ThrowExceptionForRC(raw.sqlite3_prepare_v2(connection, sql, out statement), connection);
    }

    /// <summary>Restarts with other parameters.</summary>
    public void Restart(params ReadOnlySpan<long> parameters)
    {
        raw.sqlite3_reset(statement);
        for (int i = 0; i < parameters.Length; i++)
        {
            SqliteException.ThrowExceptionForRC(raw.sqlite3_bind_int64(statement, i + 1, parameters[i]), connection);
        }
    }

    /// <summary>Moves to the next row.</summary>
    /// <exception cref="SqliteException">The database cannot be read.</exception>
    public bool Read()
    {
        cancellationToken.ThrowIfCancellationRequested();
        int result = raw.sqlite3_step(statement);
        if (result is raw.SQLITE_ROW or raw.SQLITE_DONE)
        {
            return result == raw.SQLITE_ROW;
        }

        cancellationToken.ThrowIfCancellationRequested();
        SqliteException.ThrowExceptionForRC(result, connection);
        return false;
    }

    public bool IsNull(int column) => raw.sqlite3_column_type(statement, column) == raw.SQLITE_NULL;

    public bool IsNumber(int column) => raw.sqlite3_column_type(statement, column) == raw.SQLITE_INTEGER;

    public long Number(int column) => raw.sqlite3_column_int64(statement, column);

    /// <summary>A text; valid until the next row.</summary>
    public ReadOnlySpan<byte> Utf8(int column) => raw.sqlite3_column_blob(statement, column);

    public string Text(int column) => Encoding.UTF8.GetString(Utf8(column));

    /// <summary>Decodes a hash in Base64.</summary>
    /// <returns>Whether it has exactly the length of <paramref name="hash"/>.</returns>
    public bool TryHash(int column, Span<byte> hash) =>
        Base64.DecodeFromUtf8(Utf8(column), hash, out _, out int length) == OperationStatus.Done && length == hash.Length;

    public void Dispose() => statement.Dispose();
}
