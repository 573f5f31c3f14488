using System.Text;
using SQLitePCL;

namespace Restore.Maintenance.Database;

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

    /// <summary>Runs a statement without rows.</summary>
    public void Run()
    {
        Read();
        Restart();
    }

    /// <summary>Moves to the next row.</summary>
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
