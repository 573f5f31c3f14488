using Restore.Compression.Tar;
using Restore.Compression.Zip;

namespace Restore.Compression;

/// <summary>An entry of an archive that is being walked.</summary>
/// <param name="NameOffset">Where its name starts; see <see cref="Archive.NameOf"/>.</param>
/// <param name="DataOffset">Where its (compressed) data, or for zip its local header, starts.</param>
/// <param name="Length">Its length when decoded, as the archive claims.</param>
/// <param name="Crc32">CRC-32 of the decoded data, as the archive claims (zip only).</param>
/// <param name="Method">Compression method by its zip number (zip only).</param>
internal readonly record struct ArchiveEntry(int NameOffset, int NameLength, long DataOffset, long CompressedLength, long Length, uint Crc32, ushort Method);

internal enum DecodeResult : byte
{
    /// <summary>The data decodes to exactly the claimed length (and, if checked, to the recorded CRC).</summary>
    Decoded,

    /// <summary>The data does not decode, or decodes to another length than claimed.</summary>
    Damaged,

    /// <summary>The data decodes, but its CRC-32 is not the recorded one.</summary>
    CrcMismatch,
}

/// <summary>The entries of a volume's archive, over the bytes of the volume in memory (zip, tgz, tzstd). Not safe for concurrent use. The walk goes once,
/// forwards; it decodes nothing and allocates nothing per entry. In a random-access archive (zip) every walked entry can be decoded at any time; in the others
/// only the current one. An archive whose structure contradicts itself is an <see cref="InvalidDataException"/>.</summary>
internal abstract class Archive : IDisposable
{
    /// <summary>Whether entries can be decoded in any order after the walk.</summary>
    public abstract bool IsRandomAccess { get; }

    /// <summary>Whether the archive's own directory was unusable and its entries were found by walking the local headers. Lists must not be read from such an
    /// archive.</summary>
    public virtual bool IsSalvaged => false;

    /// <summary>Why the archive is salvaged; null if it is not.</summary>
    public virtual string? SalvageReason => null;

    public abstract bool MoveNext(out ArchiveEntry entry);

    /// <summary>The name of an entry; for an archive without random access valid until the next move.</summary>
    public abstract ReadOnlySpan<byte> NameOf(in ArchiveEntry entry);

    /// <summary>Never writes more than the destination, whatever the data; the caller compared its length with <see cref="ArchiveEntry.Length"/>.</summary>
    public abstract DecodeResult Decode(in ArchiveEntry entry, Span<byte> destination, bool checkCrc);

    /// <summary>The decoded content of an entry that lies uncompressed in the volume, without a copy; valid as long as the volume's memory. Its CRC is not
    /// checked.</summary>
    public virtual bool TryGetStored(in ArchiveEntry entry, out ReadOnlyMemory<byte> data)
    {
        data = default;
        return false;
    }

    /// <summary>The content of an entry as it lies in the volume, compressed by Deflate; valid as long as its memory. Not checked.</summary>
    public virtual bool TryGetDeflated(in ArchiveEntry entry, out ReadOnlyMemory<byte> data)
    {
        data = default;
        return false;
    }

    /// <summary>Opens an entry as a stream of at most <paramref name="maxLengthBytes"/>; reading it to the end checks length and CRC and throws <see
    /// cref="InvalidDataException"/> if they are wrong.</summary>
    public abstract Stream Open(in ArchiveEntry entry, long maxLengthBytes);

    /// <summary>Opens an entry of a damaged archive, of which a part may be lost: the stream ends where the entry cannot be read any more, and says then
    /// what is wrong.</summary>
    public abstract SalvagedStream OpenSalvaged(in ArchiveEntry entry, long maxLengthBytes);

    public virtual void Dispose() => GC.SuppressFinalize(this);
}

internal static class ArchiveReader
{
    /// <summary>The bytes must stay valid as long as the archive is used. What they begin with counts more than the name of the volume.</summary>
    /// <param name="keepsCut">Whether entries count whose end is lost; for <see cref="Archive.OpenSalvaged"/>.</param>
    public static Archive Open(ArchiveKind kind, ReadOnlyMemory<byte> bytes, Codecs codecs, bool keepsCut = false) => (KindOf(bytes.Span) ?? kind) switch
    {
        ArchiveKind.Zip => new ZipArchiveReader(bytes, codecs, keepsCut),
        ArchiveKind.TarGzip => new TarArchiveReader(Codecs.OpenGzip(bytes), bytes.Length),
        ArchiveKind.TarZstd => new TarArchiveReader(codecs.OpenZstandard(bytes), bytes.Length),
        _ => throw new UnsupportedMethodException(
            "The archive format of the volume is not zip, tgz or tzstd; "
            + "volumes in the 7z format can only be read by a version of Duplicati from before November 2024"),
    };

    /// <summary>The format of an archive by its first bytes; null if these do not tell.</summary>
    public static ArchiveKind? KindOf(ReadOnlySpan<byte> start) =>
        start.StartsWith("PK\x03\x04"u8) || start.StartsWith("PK\x05\x06"u8) ? ArchiveKind.Zip
        : start is [0x1F, 0x8B, 8, ..] ? ArchiveKind.TarGzip
        : start is [0x28, 0xB5, 0x2F, 0xFD, ..] ? ArchiveKind.TarZstd
        : null;
}

internal static class ManifestReading
{
    // A manifest is about 200 bytes.
    private const int MaxManifestBytes = 64 << 10;

    public static ReadOnlySpan<byte> EntryName => "manifest"u8;

    /// <summary>The manifest among the next entries of an archive; null if there is none.</summary>
    public static Manifest? Find(Archive archive)
    {
        while (archive.MoveNext(out ArchiveEntry entry))
        {
            if (archive.NameOf(entry).SequenceEqual(EntryName))
            {
                return Read(archive, entry);
            }
        }

        return null;
    }

    public static Manifest Read(Archive archive, in ArchiveEntry entry)
    {
        if (entry.Length > MaxManifestBytes)
        {
            throw new InvalidDataException($"The manifest claims {entry.Length:N0} bytes; the limit is {MaxManifestBytes:N0}");
        }

        using Stream stream = archive.Open(entry, MaxManifestBytes);
        byte[] json = new byte[(int)entry.Length];
        stream.ReadExactly(json);

        // One more read: the stream checks length and CRC at its end.
        return stream.ReadByte() < 0 ? Manifest.Parse(json) : throw new InvalidDataException("The manifest is longer than the archive says");
    }
}

internal static class EntryName
{
    private const int MaxShown = 120;

    /// <summary>The name as text, shortened to a line, without control characters.</summary>
    public static string ForDisplay(ReadOnlySpan<byte> name)
    {
        string text = Encoding.UTF8.GetString(name[..Math.Min(name.Length, MaxShown)]);
        string shown = string.Create(text.Length, text, static (target, source) =>
        {
            for (int i = 0; i < target.Length; i++)
            {
                target[i] = char.IsControl(source[i]) ? '?' : source[i];
            }
        });
        return name.Length > MaxShown ? shown + "..." : shown;
    }
}
