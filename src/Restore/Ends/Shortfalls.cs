namespace Restore.Ends;

/// <summary>Collects, as sentences, what of an entry's metadata could not be applied. Costs nothing while there is nothing.</summary>
internal struct Shortfalls
{
    private List<string>? sentences;

    public void Add(string what, string reason) => (sentences ??= []).Add($"{what}: {reason}");

    public readonly IReadOnlyList<string> ToList() => sentences is null ? [] : sentences;
}
