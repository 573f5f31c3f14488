using System.Buffers.Text;
using Restore.Catalog.Database;

namespace Restore.Maintenance.Database;

/// <summary>
/// Rows of one table as bytes: each value is its kind, then a number, or the length of a text and
/// the text.
/// </summary>
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

    public void AddHash(ReadOnlySpan<byte> hash) =>
        Base64.EncodeToUtf8(hash, AddText(Base64.GetMaxEncodedToUtf8Length(hash.Length)), out _, out _);

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
