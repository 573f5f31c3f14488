using Restore.Csp;
using Restore.Memory;

namespace Restore.Writing.Messages;

/// <summary>A finished archive in its buffer, before encryption.</summary>
/// <param name="Buffer">The buffer: room for the cipher's header, the archive, room for the end of the stream. The holder owns one use.</param>
/// <param name="ArchiveLength">Length of the archive.</param>
internal readonly record struct PlainVolume(PooledBuffer Buffer, int ArchiveLength);

/// <summary>A full block volume, and the data for its index volume.</summary>
internal sealed class VolumeBuilt(
    PlainVolume plain, IReadOnlyList<(byte[] Hash, int SizeBytes)> blocks, IReadOnlyList<(byte[] Hash, byte[] Content)> blocklists)
    : IDisposable, IMeasured
{
    private PooledBuffer? owned = plain.Buffer;

    public IReadOnlyList<(byte[] Hash, int SizeBytes)> Blocks { get; } = blocks;

    public IReadOnlyList<(byte[] Hash, byte[] Content)> Blocklists { get; } = blocklists;

    public long Bytes => plain.ArchiveLength;

    /// <summary>Takes the archive out of the message.</summary>
    public PlainVolume TakeArchive()
    {
        owned = null;
        return plain;
    }

    public void Dispose()
    {
        owned?.Dispose();
        owned = null;
    }
}
