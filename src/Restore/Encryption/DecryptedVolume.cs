namespace Restore.Encryption;

/// <summary>The plain archive inside an encrypted volume.</summary>
/// <param name="Buffer">The buffer that holds it (for AES the buffer of the encrypted volume
/// itself). The holder of this value owns one use of it.</param>
/// <param name="Offset">Where in the buffer the archive starts.</param>
/// <param name="Authentic">False if the authentication of the body failed or its end is missing:
/// use the bytes only where something else verifies them, such as a block's own hash.</param>
/// <param name="Defect">If not authentic: the defect, for the report; else null.</param>
internal readonly record struct DecryptedVolume(
    PooledBuffer Buffer,
    int Offset,
    int Length,
    bool Authentic,
    string? Defect
)
{
    /// <summary>What is to be said about the volume though it is sound; null for nothing.</summary>
    public string? Note { get; init; }

    public Span<byte> Span => Buffer.Room.Span.Slice(Offset, Length);

    public Memory<byte> Memory => Buffer.Room.Slice(Offset, Length);
}
