namespace Restore.Format;

/// <summary>Takes what an index volume's <c>vol/</c> entry says of one block volume.</summary>
internal interface IIndexSink
{
    /// <summary>A block that the volume is said to have. <paramref name="hash"/> is raw and valid during the call.</summary>
    void Block(ReadOnlySpan<byte> hash, long sizeBytes);
}
