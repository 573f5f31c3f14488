namespace Restore.Targets;

/// <summary>Collects, as sentences, what of an entry's metadata could not be applied. Costs nothing while there is nothing.</summary>
internal struct Shortfalls
{
    private List<string>? _sentences;

    public void Add(string what, string reason) => (_sentences ??= []).Add($"{what}: {reason}.");

    public readonly IReadOnlyList<string> ToList() => _sentences is null ? [] : _sentences;
}
