namespace Restore.Catalog;

/// <summary>A piece of a file list in memory that is used again for a later one.</summary>
internal sealed class ListPiece(byte[] bytes)
{
    public byte[] Bytes => bytes;

    /// <summary>Where the piece begins in the list.</summary>
    public long Offset { get; private set; }

    public int Length { get; set; }

    /// <summary>The entries of the piece, once it is parsed.</summary>
    public ParsedEntries Entries { get; } = new();

    public bool IsParsed { get; set; }

    public void Begin(long offset)
    {
        Entries.Clear();
        (Offset, Length, IsParsed) = (offset, 0, false);
    }

    /// <summary>What is left of a piece of some length.</summary>
    public Span<byte> Room(int lengthBytes) => bytes.AsSpan(Length, lengthBytes - Length);
}
