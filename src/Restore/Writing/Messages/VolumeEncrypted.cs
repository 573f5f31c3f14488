using Restore.Csp;
using Restore.Memory;

namespace Restore.Writing.Messages;

/// <summary>A volume as it will be stored in the destination.</summary>
/// <param name="Name">Its file name.</param>
/// <param name="Content">Its content; this value owns one use of it.</param>
internal readonly record struct NamedVolume(string Name, PooledBuffer Content);

/// <summary>A block volume and the index volume that describes it.</summary>
internal sealed class VolumeEncrypted(NamedVolume blocks, NamedVolume index, IndexedVolume indexed) : IDisposable, IMeasured
{
    public NamedVolume Blocks { get; } = blocks;

    public NamedVolume Index { get; } = index;

    /// <summary>What the index volume says, to make another one if the block volume gets another name.</summary>
    public IndexedVolume Indexed { get; } = indexed;

    public long Bytes { get; } = blocks.Content.Length + index.Content.Length;

    public void Dispose()
    {
        Blocks.Content.Dispose();
        Index.Content.Dispose();
    }
}
