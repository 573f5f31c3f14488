namespace Restore.Compression.Zip;

/// <summary>
/// Finds the entries of a zip archive by their local headers, without the directory. If what
/// follows an entry confirms its length, the walk continues there. If not, the walk continues at
/// the next bytes that look like a header, and the entry ends there at the latest. So no two
/// entries share data, and the walk is linear.
/// </summary>
/// <param name="archiveLengthBytes">Length of the archive.</param>
/// <param name="keepsCut">Whether an entry counts that has no end: its length is then
/// <see cref="UnknownLength"/>.</param>
internal struct ZipSalvager(int archiveLengthBytes, bool keepsCut = false)
{
    /// <summary>
    /// The length of an entry if neither its header nor a descriptor has it any more.
    /// </summary>
    public const long UnknownLength = -1;

    // Names in Duplicati's archives are hashes, a few fixed words, and names of volumes.
    private const int MaxNameLength = 512;
    private const int MaxMethod = 99;

    // A stored entry may itself contain a zip archive with descriptors; each must be tried to find
    // the entry's own.
    private const int MaxDescriptorsTried = 16;

    // The search for descriptors is the only one that may read the same bytes twice. This limit
    // keeps an archive of fake headers linear.
    private long searchBudgetBytes = 16L * archiveLengthBytes;
    private int position;

    private static ReadOnlySpan<byte> DescriptorSignature => "PK\x07\x08"u8;

    private static ReadOnlySpan<byte> DirectorySignature => "PK\x01\x02"u8;

    public bool MoveNext(ReadOnlySpan<byte> archive, out ArchiveEntry entry)
    {
        while (TryFindHeader(archive, position, out int at, out ZipLocalHeader header))
        {
            int dataStart = at + header.LengthBytes;
            entry = new ArchiveEntry(
                at + ZipLocalHeader.FixedLengthBytes,
                header.NameLength,
                at,
                header.CompressedLength,
                header.Length,
                header.Crc32,
                header.Method
            );
            bool isUsable = header.HasUnknownLength
                ? TryMeasure(archive, dataStart, ref entry)
                : TryConfirm(archive, dataStart, ref entry);
            if (!isUsable && keepsCut)
            {
                entry = entry with
                {
                    Length = header.HasUnknownLength ? UnknownLength : header.Length,
                    CompressedLength = position - dataStart,
                };
                return true;
            }

            // A stored entry with two different lengths was not written as an entry: the signature
            // is part of other data.
            if (isUsable && (entry.Method != ZipMethod.Stored || entry.Length == entry.CompressedLength))
            {
                return true;
            }
        }

        entry = default;
        return false;
    }

    private static bool TryFindHeader(ReadOnlySpan<byte> archive, int from, out int at, out ZipLocalHeader header)
    {
        at = from;
        while (archive[at..].IndexOf(ZipLocalHeader.Signature) is int distance and >= 0)
        {
            at += distance;
            if (
                ZipLocalHeader.TryRead(archive[at..], out header)
                && IsPlausible(header, archive.Slice(at + ZipLocalHeader.FixedLengthBytes, header.NameLength))
            )
            {
                return true;
            }

            at += ZipLocalHeader.Signature.Length;
        }

        header = default;
        return false;
    }

    private static bool IsPlausible(in ZipLocalHeader header, ReadOnlySpan<byte> name) =>
        name.Length is > 0 and <= MaxNameLength
        && header.Method <= MaxMethod
        && !name.ContainsAnyExceptInRange((byte)' ', (byte)'~');

    /// <summary>
    /// Checks a length from the header. If nothing confirms it, header or data may be damaged; the
    /// hash shows whether the data is.
    /// </summary>
    private bool TryConfirm(ReadOnlySpan<byte> archive, int dataStart, ref ArchiveEntry entry)
    {
        int left = archive.Length - dataStart;
        if (entry.CompressedLength <= left && IsBoundary(archive[(dataStart + (int)entry.CompressedLength)..]))
        {
            position = dataStart + (int)entry.CompressedLength;
            return true;
        }

        bool isLast = !TryFindHeader(archive, dataStart, out int next, out _);
        position = isLast ? archive.Length : next;

        // The last entry claims more bytes than follow: its end is lost.
        bool isCutOff = isLast && entry.CompressedLength > left;
        entry = entry with { CompressedLength = Math.Min(entry.CompressedLength, position - dataStart) };
        return !isCutOff;
    }

    /// <summary>
    /// Finds the length of an entry by the descriptor after its data, if the header does not have
    /// it.
    /// </summary>
    private bool TryMeasure(ReadOnlySpan<byte> archive, int dataStart, ref ArchiveEntry entry)
    {
        int at = dataStart;
        for (int tried = 0; tried < MaxDescriptorsTried && searchBudgetBytes > 0; tried++)
        {
            int distance = archive[at..].IndexOf(DescriptorSignature);
            searchBudgetBytes -= distance < 0 ? archive.Length - at : distance;
            if (distance < 0)
            {
                break;
            }

            at += distance;
            if (TryReadDescriptor(archive[(at + DescriptorSignature.Length)..], at - dataStart, ref entry))
            {
                // The walk continues inside the descriptor, where no header begins, because its
                // length is not certain.
                position = at + DescriptorSignature.Length;
                return true;
            }

            at += DescriptorSignature.Length;
        }

        return TryMeasureUnsigned(archive, dataStart, ref entry);
    }

    /// <summary>A descriptor may lack its signature; then the bytes after it identify it.</summary>
    private bool TryMeasureUnsigned(ReadOnlySpan<byte> archive, int dataStart, ref ArchiveEntry entry)
    {
        const int lengthBytes = 12;
        if (!TryFindHeader(archive, dataStart, out int next, out _))
        {
            int distance = archive[dataStart..].IndexOf(DirectorySignature);
            next = distance < 0 ? archive.Length : dataStart + distance;
        }

        position = next;
        int dataLength = next - lengthBytes - dataStart;
        return dataLength >= 0
            && TryReadDescriptor(archive.Slice(next - lengthBytes, lengthBytes), dataLength, ref entry);
    }

    private static bool TryReadDescriptor(ReadOnlySpan<byte> source, int dataLength, ref ArchiveEntry entry)
    {
        if (source.Length < 12 || BinaryPrimitives.ReadUInt32LittleEndian(source[4..]) != (uint)dataLength)
        {
            return false;
        }

        // Lengths may have 64 bits. Their upper halves are then 0, since the volume is in memory
        // and no block reaches 4 GiB. In the other form the second of these positions is the
        // version in the next header, which is never 0.
        bool is64 =
            source.Length >= 20
            && dataLength > 0
            && BinaryPrimitives.ReadUInt32LittleEndian(source[8..]) == 0
            && BinaryPrimitives.ReadUInt32LittleEndian(source[16..]) == 0;
        long length = is64
            ? BinaryPrimitives.ReadInt64LittleEndian(source[12..])
            : BinaryPrimitives.ReadUInt32LittleEndian(source[8..]);
        entry = entry with
        {
            Crc32 = BinaryPrimitives.ReadUInt32LittleEndian(source),
            CompressedLength = dataLength,
            Length = length,
        };
        return true;
    }

    private static bool IsBoundary(ReadOnlySpan<byte> rest) =>
        rest.IsEmpty
        || rest.StartsWith(ZipLocalHeader.Signature)
        || rest.StartsWith(DirectorySignature)
        || rest.StartsWith(DescriptorSignature)
        || rest.StartsWith("PK\x05\x06"u8)
        || rest.StartsWith("PK\x06\x06"u8);
}
