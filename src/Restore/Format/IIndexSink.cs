namespace Restore.Format;

/// <summary>
/// Receives what the <c>vol/</c> entry of an index volume says about one block volume.
/// </summary>
internal interface IIndexSink
{
    /// <summary>
    /// Receives a block that the entry lists for the volume. <paramref name="hash"/> is raw and
    /// valid during the call.
    /// </summary>
    void Block(ReadOnlySpan<byte> hash, long sizeBytes);
}
