namespace Restore.Storage;

/// <summary>The first folders that a listing comes by. Safe for concurrent use.</summary>
internal sealed class ListedFolders
{
    private const int Most = 24;

    private readonly ConcurrentDictionary<string, bool> names = new(StringComparer.Ordinal);

    public IReadOnlyCollection<string> Names => [.. names.Keys.Order(StringComparer.Ordinal)];

    public void Add(string name)
    {
        if (names.Count < Most && RemoteNames.IsPlain(name))
        {
            names[name] = true;
        }
    }
}
