namespace Restore.Writing;

/// <summary>What an index volume says about a block volume.</summary>
/// <param name="Name">The name of the block volume.</param>
/// <param name="Hash">Its hash, as it is in the store.</param>
/// <param name="SizeBytes">Its length, as it is in the store.</param>
internal sealed record IndexedVolume(string Name, byte[] Hash, long SizeBytes)
{
    public List<(byte[] Hash, int SizeBytes)> Blocks { get; init; } = [];

    /// <summary>Copies of the blocklists among the blocks.</summary>
    public List<(byte[] Hash, byte[] Content)> Blocklists { get; init; } = [];
}
