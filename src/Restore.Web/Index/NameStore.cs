namespace Restore.Web.Index;

/// <summary>Names in UTF-8, one after another in large pieces of memory.</summary>
internal sealed class NameStore
{
    private const int ChunkBytes = 1 << 20;

    private readonly List<byte[]> chunks = [];
    private int used = ChunkBytes;

    public long SizeBytes => chunks.Count * (long)ChunkBytes;

    /// <returns>Where the name is.</returns>
    public long Add(ReadOnlySpan<byte> name)
    {
        if (name.Length > ChunkBytes - used)
        {
            chunks.Add(new byte[ChunkBytes]);
            used = 0;
        }

        long at = ((long)(chunks.Count - 1) * ChunkBytes) + used;
        name.CopyTo(chunks[^1].AsSpan(used));
        used += name.Length;
        return at;
    }

    public ReadOnlySpan<byte> Get(long at, int length) => chunks[(int)(at / ChunkBytes)].AsSpan((int)(at % ChunkBytes), length);
}
