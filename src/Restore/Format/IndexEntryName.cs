namespace Restore.Format;

/// <summary>
/// The names of the entries of an index volume: <c>vol/</c> and the name of a block volume, or
/// <c>list/</c> and the hash of a blocklist.
/// </summary>
internal static class IndexEntryName
{
    private const string VolumeFolder = "vol/";
    private const string BlocklistFolder = "list/";

    public const int MaxBlocklistNameBytes = 5 + BlockName.MaxLengthBytes;

    /// <summary>
    /// Whether the entry describes a block volume. The name is the archive's claim: look it up in
    /// the listing of the backup.
    /// </summary>
    public static bool TryGetVolume(ReadOnlySpan<byte> entryName, out ReadOnlySpan<byte> volumeName)
    {
        bool isVolume = entryName.StartsWith("vol/"u8) && entryName.Length > VolumeFolder.Length;
        volumeName = isVolume ? entryName[VolumeFolder.Length..] : default;
        return isVolume;
    }

    /// <summary>
    /// Whether the entry is a copy of a blocklist; <paramref name="hash"/> (64 bytes) receives the
    /// hash that the copy must have.
    /// </summary>
    public static bool TryGetBlocklist(ReadOnlySpan<byte> entryName, Span<byte> hash, out int length)
    {
        length = 0;
        return entryName.StartsWith("list/"u8)
            && BlockName.TryDecode(entryName[BlocklistFolder.Length..], hash, out length);
    }

    public static string OfVolume(string volumeName) => VolumeFolder + volumeName;

    /// <summary>
    /// Returns the length; <paramref name="name"/> takes <see cref="MaxBlocklistNameBytes"/>.
    /// </summary>
    public static int OfBlocklist(ReadOnlySpan<byte> hash, Span<byte> name)
    {
        "list/"u8.CopyTo(name);
        return BlocklistFolder.Length + BlockName.Encode(hash, name[BlocklistFolder.Length..]);
    }
}
