using Restore.Format;
using Restore.Memory;

namespace Restore.Catalog.Locating;

/// <summary>The contents of one index volume.</summary>
internal sealed class IndexContents : IDisposable
{
    /// <summary>For each block volume that it describes, the listed blocks.</summary>
    public List<ListedBlocks> Volumes { get; } = [];

    /// <summary>The same for block volumes that are not in the folder: the blocks lost with them.</summary>
    public List<(string Name, ListedBlocks Blocks)> AbsentVolumes { get; } = [];

    /// <summary>Needed blocklists, verified by their hashes.</summary>
    public List<(byte[] Hash, PooledBuffer Content)> Blocklists { get; } = [];

    /// <summary>Block size and hash algorithms from its manifest; null if it has no sound manifest.</summary>
    public BlockLayout? Layout { get; set; }

    /// <summary>The defects of the volume.</summary>
    public List<string> Defects { get; } = [];

    public void Dispose()
    {
        Volumes.ForEach(volume => volume.Dispose());
        AbsentVolumes.ForEach(volume => volume.Blocks.Dispose());
        Blocklists.ForEach(blocklist => blocklist.Content.Dispose());
    }
}
