namespace Restore.Volumes;

/// <summary>
/// Entries of a volume in memory, decrypted: all of them, or some. The chunk owns one use of the
/// buffer.
/// </summary>
/// <param name="buffer">The memory with the bytes. A block that is stored without compression is
/// used in place.</param>
/// <param name="lengthBytes">How many bytes the chunk has.</param>
/// <param name="open">Opens the archive in the buffer.</param>
internal sealed class VolumeChunk(PooledBuffer buffer, int lengthBytes, Func<Codecs, Archive> open) : IDisposable
{
    public PooledBuffer Buffer => buffer;

    public int LengthBytes => lengthBytes;

    /// <summary>Opens the archive, which is valid as long as this chunk is.</summary>
    /// <exception cref="InvalidDataException">No entry can be found in it.</exception>
    public Archive OpenArchive(Codecs codecs) => open(codecs);

    public void Dispose() => buffer.Dispose();
}
