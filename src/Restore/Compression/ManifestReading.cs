namespace Restore.Compression;

internal static class ManifestReading
{
    // A manifest is about 200 bytes.
    private const int MaxManifestBytes = 64 << 10;

    public static ReadOnlySpan<byte> EntryName => "manifest"u8;

    /// <summary>
    /// The manifest among the next entries of an archive; null if they do not have it.
    /// </summary>
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
            throw new InvalidDataException(
                $"The manifest claims {entry.Length:N0} bytes; the limit is {MaxManifestBytes:N0}"
            );
        }

        using Stream stream = archive.Open(entry, MaxManifestBytes);
        byte[] json = new byte[(int)entry.Length];
        stream.ReadExactly(json);

        // One more read: the stream checks length and CRC at its end.
        return stream.ReadByte() < 0
            ? Manifest.Parse(json)
            : throw new InvalidDataException("The manifest is longer than the archive says");
    }
}
