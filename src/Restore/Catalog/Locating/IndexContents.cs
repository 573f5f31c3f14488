namespace Restore.Catalog.Locating;

internal sealed class IndexContents(Action<IndexContents> take) : IDisposable
{
    // An index volume can be unsound in any number of places; a person reads a few.
    private const int MaxDefects = 10;

    // The lists of most index volumes have less than this together. The lists of a hostile index
    // volume could have a thousand times its size.
    private const long MaxMemoryBytes = 8 << 20;

    private long memoryBytes;

    /// <summary>
    /// The listed blocks of the block volumes that it describes; a volume with many blocks has
    /// several lists.
    /// </summary>
    public List<ListedBlocks> Volumes { get; } = [];

    /// <summary>
    /// The same for block volumes that are not in the folder: the blocks lost with them.
    /// </summary>
    public List<(string Name, ListedBlocks Blocks)> AbsentVolumes { get; } = [];

    /// <summary>What it says about the block volumes in the folder as wholes.</summary>
    public List<(Volume Volume, IndexVolumeInfo Info)> Descriptions { get; } = [];

    public List<(byte[] Hash, PooledBuffer Content)> Blocklists { get; } = [];

    /// <summary>
    /// Block size and hash algorithms from its manifest; null if it has no sound manifest.
    /// </summary>
    public BlockLayout? Layout { get; set; }

    /// <summary>
    /// Why its lists do not count as whole; null if they do. What it says about missing volumes is
    /// no such reason.
    /// </summary>
    public string? BrokenBy { get; private set; }

    public List<string> Defects { get; } = [];

    public int FurtherDefects { get; private set; }

    public void Add(Volume? described, string name, ListedBlocks blocks)
    {
        if (described is not null)
        {
            Volumes.Add(blocks);
        }
        else
        {
            AbsentVolumes.Add((name, blocks));
        }

        Count(blocks.MemoryBytes);
    }

    public void AddBlocklist(byte[] hash, PooledBuffer content)
    {
        Blocklists.Add((hash, content));
        Count(content.Room.Length);
    }

    /// <summary>Adds a defect after which a list may have been read in part.</summary>
    public void AddBreak(string defect)
    {
        BrokenBy ??= defect;
        AddDefect(defect);
    }

    public void AddDefect(string defect)
    {
        if (Defects.Count < MaxDefects)
        {
            Defects.Add(defect);
        }
        else
        {
            FurtherDefects++;
        }
    }

    public void Dispose()
    {
        Volumes.ForEach(volume => volume.Dispose());
        AbsentVolumes.ForEach(volume => volume.Blocks.Dispose());
        Blocklists.ForEach(blocklist => blocklist.Content.Dispose());
        Volumes.Clear();
        AbsentVolumes.Clear();
        Blocklists.Clear();
        memoryBytes = 0;
    }

    private void Count(long bytes)
    {
        memoryBytes += bytes;
        if (memoryBytes > MaxMemoryBytes)
        {
            // What is read so far is handed over in the middle of the volume, and what the receiver
            // does not keep is released.
            take(this);
            Dispose();
        }
    }
}
