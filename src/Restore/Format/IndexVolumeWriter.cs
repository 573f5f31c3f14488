namespace Restore.Format;

/// <summary>
/// Writes the <c>vol/</c> entry of an index volume: the blocks of one block volume, then its hash
/// and size as uploaded. No byte order mark.
/// </summary>
internal sealed class IndexVolumeWriter
{
    private const int FlushBytes = 64 * 1024;

    private readonly Stream stream;
    private readonly JsonOutput json = new();
    private bool isFirst = true;

    /// <summary>
    /// Starts the entry in <paramref name="stream"/>, which stays open; end it with
    /// <see cref="Finish"/>.
    /// </summary>
    public IndexVolumeWriter(Stream stream)
    {
        this.stream = stream;
        json.Raw("{\"blocks\":["u8);
    }

    public void Add(ReadOnlySpan<byte> hash, long sizeBytes)
    {
        json.Raw(isFirst ? "{\"hash\":"u8 : ",{\"hash\":"u8);
        isFirst = false;
        json.Base64Text(hash);
        json.Raw(",\"size\":"u8);
        json.Number(sizeBytes);
        json.Raw("}"u8);
        if (json.Length >= FlushBytes)
        {
            json.FlushTo(stream);
        }
    }

    /// <summary>
    /// Ends the entry; <paramref name="volumeHash"/> is the file hash of the volume as uploaded.
    /// </summary>
    public void Finish(ReadOnlySpan<byte> volumeHash, long volumeSizeBytes)
    {
        json.Raw("],\"volumehash\":"u8);
        json.Base64Text(volumeHash);
        json.Raw(",\"volumesize\":"u8);
        json.Number(volumeSizeBytes);
        json.Raw("}"u8);
        json.FlushTo(stream);
    }
}
