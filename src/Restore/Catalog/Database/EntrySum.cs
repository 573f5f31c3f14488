namespace Restore.Catalog.Database;

/// <summary>A number that depends on the entries that were added, and not on their order: two lists with the same one have the same entries.</summary>
internal sealed class EntrySum : IDisposable
{
    private readonly byte[] digest = new byte[SHA256.HashSizeInBytes];
    private readonly IncrementalHash hash = IncrementalHash.CreateHash(HashAlgorithmName.SHA256);
    private UInt128 sum;
    private long count;

    /// <summary>Adds an entry with all but its time, of which a list has whole seconds.</summary>
    public void Add(EntryInList entry)
    {
        Span<byte> head = stackalloc byte[2 * sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(head, ((long)entry.Path.Length << 8) | (byte)entry.Kind);
        BinaryPrimitives.WriteInt64LittleEndian(head[sizeof(long)..], entry.SizeBytes);
        hash.AppendData(head);
        hash.AppendData(entry.Path);
        hash.AppendData(entry.Hash);
        hash.AppendData(entry.MetadataHash);
        hash.GetHashAndReset(digest);
        sum += BinaryPrimitives.ReadUInt128LittleEndian(digest);
        count++;
    }

    public void Dispose() => hash.Dispose();

    public bool IsSameAs(EntrySum other) => sum == other.sum && count == other.count;
}
