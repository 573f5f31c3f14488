using System.Buffers.Text;
using SQLitePCL;

namespace Restore.Catalog.Database;

/// <summary>
/// A prepared statement: values are bound in order, and rows read one by one, with texts as spans
/// of SQLite's own memory. No object for a row.
/// </summary>
internal sealed class DatabaseQuery : IDisposable
{
    private readonly sqlite3_stmt statement;
    private readonly Action<int> fail;
    private readonly CancellationToken cancellationToken;
    private int bound;

    /// <param name="fail">Throws the exception for an error code of SQLite.</param>
    public DatabaseQuery(sqlite3 connection, string sql, Action<int> fail, CancellationToken cancellationToken)
    {
        this.fail = fail;
        this.cancellationToken = cancellationToken;
        Check(raw.sqlite3_prepare_v2(connection, sql, out statement));
    }

    /// <summary>Begins again, with these values or with those that are bound next.</summary>
    public void Restart(params ReadOnlySpan<long> parameters)
    {
        raw.sqlite3_reset(statement);
        bound = 0;
        foreach (long parameter in parameters)
        {
            Bind(parameter);
        }
    }

    public void Bind(long value) => Check(raw.sqlite3_bind_int64(statement, ++bound, value));

    // An empty span has no address, which would be NULL.
    public void Bind(ReadOnlySpan<byte> utf8) =>
        Check(
            utf8.IsEmpty
                ? raw.sqlite3_bind_text(statement, ++bound, "")
                : raw.sqlite3_bind_text(statement, ++bound, utf8)
        );

    /// <summary>Binds a hash as Base64.</summary>
    public void BindHash(ReadOnlySpan<byte> hash)
    {
        Span<byte> text = stackalloc byte[Base64.GetMaxEncodedToUtf8Length(hash.Length)];
        Base64.EncodeToUtf8(hash, text, out _, out _);
        Bind(text);
    }

    public void BindNull() => Check(raw.sqlite3_bind_null(statement, ++bound));

    /// <summary>Runs a statement that has no rows, and begins again.</summary>
    public void Run()
    {
        Read();
        Restart();
    }

    /// <returns>False after the last row.</returns>
    public bool Read()
    {
        cancellationToken.ThrowIfCancellationRequested();
        int result = raw.sqlite3_step(statement);
        if (result is not (raw.SQLITE_ROW or raw.SQLITE_DONE))
        {
            // An interrupted step returns an error. The caller must see a cancellation, not a
            // defect of the database.
            cancellationToken.ThrowIfCancellationRequested();
            fail(result);
        }

        return result == raw.SQLITE_ROW;
    }

    public bool IsNull(int column) => raw.sqlite3_column_type(statement, column) == raw.SQLITE_NULL;

    public bool IsNumber(int column) => raw.sqlite3_column_type(statement, column) == raw.SQLITE_INTEGER;

    public long Number(int column) => raw.sqlite3_column_int64(statement, column);

    /// <summary>A text; valid until the next row.</summary>
    public ReadOnlySpan<byte> Utf8(int column) => raw.sqlite3_column_blob(statement, column);

    public string Text(int column) => Encoding.UTF8.GetString(Utf8(column));

    /// <summary>Decodes a hash in Base64.</summary>
    public bool TryHash(int column, Span<byte> hash) =>
        Base64.DecodeFromUtf8(Utf8(column), hash, out _, out int length) == OperationStatus.Done
        && length == hash.Length;

    public void Dispose() => statement.Dispose();

    private void Check(int result)
    {
        if (result != raw.SQLITE_OK)
        {
            fail(result);
        }
    }
}
