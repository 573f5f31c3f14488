namespace Restore.Shards;

/// <summary>
/// Parts whose records say that they are done, and that did not write what they should have.
/// </summary>
internal sealed class ShardsWrongException(IReadOnlyCollection<int> shards, string path)
    : Exception($"{path} does not have what they should have written")
{
    public IReadOnlyCollection<int> Shards { get; } = shards;
}
