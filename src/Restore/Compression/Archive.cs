namespace Restore.Compression;

/// <summary>An entry of an archive that is being walked.</summary>
/// <param name="NameOffset">Where its name starts; see <see cref="Archive.NameOf"/>.</param>
/// <param name="DataOffset">Where its (compressed) data, or for zip its local header,
/// starts.</param>
/// <param name="Length">Its length when decoded, as the archive claims.</param>
/// <param name="Crc32">CRC-32 of the decoded data, as the archive claims (zip only).</param>
/// <param name="Method">Compression method by its zip number (zip only).</param>
internal readonly record struct ArchiveEntry(
    int NameOffset,
    int NameLength,
    long DataOffset,
    long CompressedLength,
    long Length,
    uint Crc32,
    ushort Method
);

/// <summary>
/// The entries of a volume's archive, over the bytes of the volume in memory (zip, tgz, tzstd). Not
/// safe for concurrent use. The walk goes forward once; it decodes nothing and allocates nothing
/// per entry. In a random-access archive (zip) every walked entry can be decoded at any time; in
/// the other archives only the current one. Throws an <see cref="InvalidDataException"/> if the
/// structure of the archive contradicts itself.
/// </summary>
internal abstract class Archive : IDisposable
{
    /// <summary>Whether entries can be decoded in any order after the walk.</summary>
    public abstract bool IsRandomAccess { get; }

    /// <summary>
    /// Whether the archive's own directory was unusable and its entries were found by walking the
    /// local headers. Lists must not be read from such an archive.
    /// </summary>
    public virtual bool IsSalvaged => false;

    /// <summary>Why the archive is salvaged; null if it is not.</summary>
    public virtual string? SalvageReason => null;

    public abstract bool MoveNext(out ArchiveEntry entry);

    /// <summary>
    /// The name of an entry; for an archive without random access valid until the next move.
    /// </summary>
    public abstract ReadOnlySpan<byte> NameOf(in ArchiveEntry entry);

    /// <summary>
    /// Decodes an entry. Never writes more than the destination, regardless of the data; the caller
    /// has compared its length with <see cref="ArchiveEntry.Length"/>.
    /// </summary>
    public abstract DecodeResult Decode(in ArchiveEntry entry, Span<byte> destination, bool checkCrc);

    /// <summary>
    /// The decoded content of an entry that lies uncompressed in the volume, without a copy; valid
    /// as long as the volume's memory. Its CRC is not checked.
    /// </summary>
    public virtual bool TryGetStored(in ArchiveEntry entry, out ReadOnlyMemory<byte> data)
    {
        data = default;
        return false;
    }

    /// <summary>
    /// The content of an entry as it is in the volume, compressed by Deflate; valid as long as the
    /// volume's memory. It is not checked.
    /// </summary>
    public virtual bool TryGetDeflated(in ArchiveEntry entry, out ReadOnlyMemory<byte> data)
    {
        data = default;
        return false;
    }

    /// <summary>
    /// Opens an entry as a stream of at most <paramref name="maxLengthBytes"/>; reading it to the
    /// end checks length and CRC and throws <see cref="InvalidDataException"/> if they are wrong.
    /// </summary>
    public abstract Stream Open(in ArchiveEntry entry, long maxLengthBytes);

    /// <summary>
    /// Opens an entry of a damaged archive, even if a part of the entry is lost: the stream ends
    /// where the entry cannot be read any more, and then says what is wrong.
    /// </summary>
    public abstract SalvagedStream OpenSalvaged(in ArchiveEntry entry, long maxLengthBytes);

    public virtual void Dispose() => GC.SuppressFinalize(this);
}
