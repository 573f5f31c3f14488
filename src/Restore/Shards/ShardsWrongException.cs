namespace Restore.Shards;

/// <summary>
/// The records of these parts say that the parts are done, but the parts did not write what they
/// should have.
/// </summary>
internal sealed class ShardsWrongException(IReadOnlyCollection<int> shards, string path)
    : Exception($"{path} does not have what they should have written")
{
    public IReadOnlyCollection<int> Shards { get; } = shards;
}
