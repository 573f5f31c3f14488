namespace Restore.Restoring;

/// <summary>
/// The state of entries over all passes. Only the FileProcessor that owns an entry touches its
/// state.
/// </summary>
internal sealed class EntryStates(int count)
{
    // One byte for each entry, not a bit: processors write the states of neighboring entries at the
    // same time.
    private readonly bool[] started = new bool[count];
    private readonly bool[] inPlace = new bool[count];
    private readonly ConcurrentDictionary<EntryId, string> places = [];

    /// <summary>Whether something of the entry was written to the target.</summary>
    public bool IsStarted(EntryId entry) => started[entry];

    public void SetStarted(EntryId entry) => started[entry] = true;

    /// <summary>
    /// Whether the file of the entry has its path; before that it has a partial name.
    /// </summary>
    public bool IsInPlace(EntryId entry) => inPlace[entry];

    public void SetInPlace(EntryId entry) => inPlace[entry] = true;

    /// <summary>
    /// The path of a file at the target, if it differs from the path in the plan.
    /// </summary>
    public string? PlaceOf(EntryId entry) => places.GetValueOrDefault(entry);

    public void SetPlace(EntryId entry, string path) => places[entry] = path;

    public IEnumerable<KeyValuePair<EntryId, string>> OtherPlaces => places;
}
