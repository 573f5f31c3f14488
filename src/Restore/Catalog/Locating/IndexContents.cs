using Restore.Format;
using Restore.Memory;

namespace Restore.Catalog.Locating;

/// <summary>What was taken out of one index volume.</summary>
internal sealed class IndexContents : IDisposable
{
    /// <summary>For each block volume it describes, the blocks that one is said to have.</summary>
    public List<ListedBlocks> Volumes { get; } = [];

    /// <summary>The same for block volumes that are not in the folder: what is lost with them.</summary>
    public List<(string Name, ListedBlocks Blocks)> AbsentVolumes { get; } = [];

    /// <summary>Blocklists that were asked for, verified against their hashes.</summary>
    public List<(byte[] Hash, PooledBuffer Content)> Blocklists { get; } = [];

    /// <summary>Block size and hash algorithms as its manifest gives them; null when it has no sound manifest.</summary>
    public BlockLayout? Layout { get; set; }

    /// <summary>What was wrong with it, as sentences.</summary>
    public List<string> Defects { get; } = [];

    public void Dispose()
    {
        Volumes.ForEach(volume => volume.Dispose());
        AbsentVolumes.ForEach(volume => volume.Blocks.Dispose());
        Blocklists.ForEach(blocklist => blocklist.Content.Dispose());
    }
}
