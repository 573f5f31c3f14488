using SQLitePCL;

namespace Restore.Maintenance.Database;

/// <summary>Adds rows to a table: values in the order of the columns, then <see cref="Run"/>.</summary>
internal sealed class Insertion : IDisposable
{
    // Statements of many rows keep their place in the table: each row takes 0.6 µs instead of 1.0 with 50 rows, and no less with more.
    private const int RowsOfStatement = 50;
    private const int MaxRows = 5 * RowsOfStatement;
    private const int MaxBytes = 64 << 10;

    private readonly RowWriter writer;
    private readonly Statement one;
    private readonly Statement many;
    private RowBatch batch;

    public Insertion(NewDatabase database, RowWriter writer, string table, string[] columns)
    {
        this.writer = writer;
        Columns = columns.Length;
        string into = $"INSERT INTO \"{table}\" ({string.Join(", ", columns.Select(column => $"\"{column}\""))}) VALUES ";
        string row = $"({string.Join(", ", columns.Select(_ => "?"))})";
        one = new Statement(database, into + row);
        many = new Statement(database, into + string.Join(", ", Enumerable.Repeat(row, RowsOfStatement)));
        batch = Rent();
    }

    public int Columns { get; }

    public Insertion Add(long value)
    {
        batch.Add(value);
        return this;
    }

    public Insertion Add(ReadOnlySpan<byte> utf8)
    {
        utf8.CopyTo(batch.AddText(utf8.Length));
        return this;
    }

    public Insertion Add(string? value)
    {
        if (value is null)
        {
            batch.AddNull();
        }
        else
        {
            Encoding.UTF8.GetBytes(value, batch.AddText(Encoding.UTF8.GetByteCount(value)));
        }

        return this;
    }

    /// <summary>Adds a hash, as Base64.</summary>
    public Insertion AddHash(ReadOnlySpan<byte> hash)
    {
        batch.AddHash(hash);
        return this;
    }

    /// <summary>Ends a row. It is in the table when the database is asked for anything.</summary>
    public void Run()
    {
        if (++batch.Rows == MaxRows || batch.LengthBytes > MaxBytes)
        {
            Send();
        }
    }

    /// <summary>Hands over the rows so far.</summary>
    public void Send()
    {
        if (batch.Rows > 0)
        {
            writer.Send(batch);
            batch = Rent();
        }
    }

    public (Statement Statement, int Rows) StatementFor(int rows) => rows >= RowsOfStatement ? (many, RowsOfStatement) : (one, 1);

    public void Dispose()
    {
        one.Dispose();
        many.Dispose();
    }

    private RowBatch Rent()
    {
        RowBatch empty = writer.Rent();
        empty.Table = this;
        return empty;
    }
}

/// <summary>A prepared statement: no object for a row. Values are bound in order, then it runs.</summary>
internal sealed class Statement : IDisposable
{
    private readonly NewDatabase database;
    private readonly sqlite3_stmt statement;
    private int bound;

    public Statement(NewDatabase database, string sql)
    {
        this.database = database;
        int result = raw.sqlite3_prepare_v2(database.Handle, sql, out statement);
        if (result != raw.SQLITE_OK)
        {
            throw database.Failure(result);
        }
    }

    public void Add(long value) => Check(raw.sqlite3_bind_int64(statement, ++bound, value));

    public void Add(ReadOnlySpan<byte> utf8) =>

        // An empty span has no address, which would be NULL.
        Check(utf8.IsEmpty ? raw.sqlite3_bind_text(statement, ++bound, "") : raw.sqlite3_bind_text(statement, ++bound, utf8));

    public void AddNull() => Check(raw.sqlite3_bind_null(statement, ++bound));

    public void Run()
    {
        Read();
        Restart();
    }

    public bool Read()
    {
        int result = raw.sqlite3_step(statement);
        return result == raw.SQLITE_ROW || (result == raw.SQLITE_DONE ? false : throw database.Failure(result));
    }

    public void Restart()
    {
        raw.sqlite3_reset(statement);
        bound = 0;
    }

    public long Number(int column) => raw.sqlite3_column_int64(statement, column);

    public string Text(int column) => Encoding.UTF8.GetString(raw.sqlite3_column_blob(statement, column));

    public void Dispose() => statement.Dispose();

    private void Check(int result)
    {
        if (result != raw.SQLITE_OK)
        {
            throw database.Failure(result);
        }
    }
}
