namespace Restore.Catalog.Database;

/// <summary>Reads the blocks of a blockset, by their index.</summary>
internal sealed class BlocksetReader(DatabaseConnection connection, BlockLayout layout) : IDisposable
{
    private readonly byte[] hash = new byte[layout.BlockHash.LengthBytes()];

    // CROSS JOIN keeps the order of the tables: SQLite walks the primary key of BlocksetEntry,
    // where Duplicati has the rows of a blockset in the order of their index.
    private readonly DatabaseQuery rows = connection.Query(
        """
        SELECT e."Index", b."Size", b."Hash" FROM "BlocksetEntry" e CROSS JOIN "Block" b ON b."ID" = e."BlockID"
        WHERE e."BlocksetID" = ? ORDER BY e."Index"
        """
    );

    private bool isHash;

    public long Index => rows.Number(0);

    public int SizeBytes => (int)rows.Number(1);

    public ReadOnlySpan<byte> Hash => hash;

    /// <summary>
    /// The message about blocks that cannot belong to the contents that list them.
    /// </summary>
    public static string Contradiction(int count) =>
        $"Its rows about blocks contradict the files they belong to ({count:N0} of them)";

    public void Begin(long blockset) => rows.Restart(blockset);

    /// <returns>False after the last.</returns>
    public bool Read()
    {
        bool isMore = rows.Read();
        isHash = isMore && rows.TryHash(2, hash);
        return isMore;
    }

    /// <summary>Whether it can be a block of a content of this length.</summary>
    public bool IsOf(long contentBytes) =>
        isHash
        && Index >= 0
        && Index < layout.BlockCount(contentBytes)
        && rows.Number(1) == layout.BlockLength(contentBytes, Index);

    public void Dispose() => rows.Dispose();
}
