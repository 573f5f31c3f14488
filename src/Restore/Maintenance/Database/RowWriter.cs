using System.Buffers.Text;
using System.Runtime.ExceptionServices;
using Restore.Catalog.Database;

namespace Restore.Maintenance.Database;

/// <summary>
/// Inserts rows on a thread of its own, while their producer reads the next entries. Rows come in batches of one table; the order within a table is kept.
/// </summary>
internal sealed class RowWriter : IDisposable
{
    // 16 batches are less than a megabyte, and enough for either side to go on while the other one is held up.
    private const int MaxWaiting = 16;

    private readonly BlockingCollection<Action> waiting = new(MaxWaiting);
    private readonly ConcurrentBag<RowBatch> free = [];
    private readonly Thread thread;
    private volatile ExceptionDispatchInfo? failure;
    private volatile bool isDisposed;

    public RowWriter()
    {
        thread = new Thread(Run) { IsBackground = true, Name = "Restore" };
        thread.UnsafeStart();
    }

    public RowBatch Rent() => free.TryTake(out RowBatch? batch) ? batch : new RowBatch();

    /// <summary>Takes over a batch; waits while there are too many.</summary>
    /// <exception cref="Exception">An earlier batch could not be inserted.</exception>
    public void Send(RowBatch batch)
    {
        failure?.Throw();
        waiting.Add(() => Insert(batch));
    }

    /// <summary>Waits until all batches are inserted.</summary>
    /// <exception cref="Exception">One could not be inserted.</exception>
    public void Flush()
    {
        using ManualResetEventSlim done = new();
        waiting.Add(done.Set);
        done.Wait();
        failure?.Throw();
    }

    /// <summary>Drops the batches that wait, and waits for the one that is being inserted.</summary>
    public void Dispose()
    {
        if (!isDisposed)
        {
            isDisposed = true;
            waiting.CompleteAdding();
            thread.Join();
            waiting.Dispose();
        }
    }

    private void Run()
    {
        foreach (Action work in waiting.GetConsumingEnumerable())
        {
            work();
        }
    }

    private void Insert(RowBatch batch)
    {
        try
        {
            if (failure is null && !isDisposed)
            {
                batch.Insert();
                free.Add(batch);
            }
        }
        catch (Exception thrown)
        {
            failure = ExceptionDispatchInfo.Capture(thrown);
        }
    }
}

/// <summary>Rows of one table as bytes: each value is its kind, then a number, or the length of a text and the text.</summary>
internal sealed class RowBatch
{
    private const byte Null = 0;
    private const byte Number = 1;
    private const byte Text = 2;

    private byte[] bytes = new byte[32 << 10];
    private int length;

    /// <summary>The table; set by the one who fills the batch.</summary>
    public Insertion? Table { get; set; }

    public int Rows { get; set; }

    public int LengthBytes => length;

    public void Add(long value)
    {
        Span<byte> room = Room(1 + sizeof(long));
        room[0] = Number;
        BinaryPrimitives.WriteInt64LittleEndian(room[1..], value);
    }

    public void AddNull() => Room(1)[0] = Null;

    public Span<byte> AddText(int lengthBytes)
    {
        Span<byte> room = Room(1 + sizeof(int) + lengthBytes);
        room[0] = Text;
        BinaryPrimitives.WriteInt32LittleEndian(room[1..], lengthBytes);
        return room[(1 + sizeof(int))..];
    }

    public void AddHash(ReadOnlySpan<byte> hash) => Base64.EncodeToUtf8(hash, AddText(Base64.GetMaxEncodedToUtf8Length(hash.Length)), out _, out _);

    public void Insert()
    {
        int at = 0;
        while (Rows > 0)
        {
            (DatabaseQuery statement, int rows) = Table!.StatementFor(Rows);
            for (int left = rows * Table.Columns; left > 0; left--)
            {
                at = Bind(statement, at);
            }

            statement.Run();
            Rows -= rows;
        }

        length = 0;
    }

    private int Bind(DatabaseQuery statement, int at)
    {
        ReadOnlySpan<byte> value = bytes.AsSpan(at + 1);
        switch (bytes[at])
        {
            case Null:
                statement.BindNull();
                return at + 1;
            case Number:
                statement.Bind(BinaryPrimitives.ReadInt64LittleEndian(value));
                return at + 1 + sizeof(long);
            default:
                int textLength = BinaryPrimitives.ReadInt32LittleEndian(value);
                statement.Bind(value.Slice(sizeof(int), textLength));
                return at + 1 + sizeof(int) + textLength;
        }
    }

    private Span<byte> Room(int count)
    {
        if (length + count > bytes.Length)
        {
            Array.Resize(ref bytes, Math.Max(bytes.Length * 2, length + count));
        }

        length += count;
        return bytes.AsSpan(length - count, count);
    }
}
