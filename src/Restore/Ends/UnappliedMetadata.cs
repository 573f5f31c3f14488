namespace Restore.Ends;

/// <summary>
/// Collects the reasons why metadata of an entry could not be applied. Allocates nothing until
/// there is one.
/// </summary>
internal struct UnappliedMetadata
{
    private List<string>? sentences;

    public void Add(string what, string reason) => (sentences ??= []).Add($"{what}: {reason}");

    public readonly IReadOnlyList<string> ToList() => sentences is null ? [] : sentences;
}
