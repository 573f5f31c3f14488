namespace Restore.Restoring;

/// <summary>The state of entries over all passes. Only the FileProcessor that owns an entry touches its state.</summary>
internal sealed class EntryStates(int count)
{
    private readonly bool[] started = new bool[count];
    private readonly bool[] inPlace = new bool[count];
    private readonly ConcurrentDictionary<EntryId, string> places = [];

    /// <summary>Whether something of the entry was written to the target.</summary>
    public bool IsStarted(EntryId entry) => started[entry];

    public void SetStarted(EntryId entry) => started[entry] = true;

    /// <summary>Whether the file of the entry has its path; before that it has a partial name.</summary>
    public bool IsInPlace(EntryId entry) => inPlace[entry];

    public void SetInPlace(EntryId entry) => inPlace[entry] = true;

    /// <summary>The path of a file at the target, if it is not that of the plan.</summary>
    public string? PlaceOf(EntryId entry) => places.GetValueOrDefault(entry);

    public void SetPlace(EntryId entry, string path) => places[entry] = path;

    public IEnumerable<KeyValuePair<EntryId, string>> OtherPlaces => places;
}

/// <summary>Reports each entry that is finished to the caller's listener, if there is one.</summary>
internal sealed class EntryResults(RestorePlan plan, IProgress<EntryResult>? listener)
{
    /// <summary>Reports the outcome of a pass. Links do not exist yet, and shared files are not whole: the end reports them.</summary>
    public void Report(FileOutcome outcome)
    {
        if (listener is not null && !outcome.IsShare && !plan.Pass.Content.IsAbove(outcome.Entry)
            && plan.Pass.Content.Entries[outcome.Entry].Kind != Format.EntryKind.Symlink)
        {
            Report(outcome.Entry, KindOf(outcome.Kind), outcome.BytesWritten, outcome.Reason.Sentence);
        }
    }

    public void Report(EntryId entry, EntryResultKind kind, long bytesWritten = 0, string? reason = null) =>
        listener?.Report(new EntryResult(plan.Pass.Content.PathText(entry), plan.DisplayTarget(entry), kind, bytesWritten, reason));

    private static EntryResultKind KindOf(OutcomeKind kind) => kind switch
    {
        OutcomeKind.Restored => EntryResultKind.Restored,
        OutcomeKind.Incomplete => EntryResultKind.Incomplete,
        OutcomeKind.Unverified => EntryResultKind.Unverified,
        _ => EntryResultKind.Failed,
    };
}

/// <summary>The progress of each entry: its next item, and whether items are missing.</summary>
internal sealed class EntryCursors(int entries)
{
    private readonly Item[] next = new Item[entries];
    private readonly BitSet incomplete = new(entries);
    private readonly BitSet contentIncomplete = new(entries);

    public Item NextOf(EntryId entry) => next[entry];

    public void MoveTo(EntryId entry, Item item) => next[entry] = item;

    /// <summary>Whether a place still waits for its block.</summary>
    public bool Awaits(Want want) => next[want.Entry] <= want.Item;

    public void Miss(EntryId entry, bool isContent)
    {
        incomplete[entry] = true;
        contentIncomplete[entry] |= isContent;
    }

    public WorkKind FinishOf(EntryId entry) => contentIncomplete[entry] ? WorkKind.FinishIncomplete
        : incomplete[entry] ? WorkKind.FinishWithoutMetadata
        : WorkKind.Finish;
}

/// <summary>
/// Assigns each entry to a FileProcessor when the first item of the entry comes: to the one that got the fewest bytes so far, so that all have
/// work at any time. Consecutive entries mostly lie in one folder, and two processors that create files in one folder wait for each other: so a
/// processor keeps getting small entries until it is a batch ahead.
/// </summary>
internal sealed class EntryOwners(PassPlan plan, int processors)
{
    private const ushort Nobody = ushort.MaxValue;
    private const int BatchBytes = 1 << 20;

    // The cost of creating a file, in bytes that could be written in that time.
    private const int EntryBytes = 16 << 10;

    private readonly ushort[] owners = Unowned(plan.Entries.Count);
    private readonly long[] given = new long[processors];
    private int current;

    /// <summary>The processor that owns the entry from now on.</summary>
    public int Of(EntryId entry)
    {
        if (owners[entry] == Nobody)
        {
            int least = Array.IndexOf(given, given.Min());
            current = given[current] - given[least] >= BatchBytes ? least : current;
            given[current] += EntryBytes + (plan.BringsContent(entry) ? plan.Content.SizeOf(entry) : 0);
            owners[entry] = (ushort)current;
        }

        return owners[entry];
    }

    private static ushort[] Unowned(int entries)
    {
        ushort[] owners = new ushort[entries];
        owners.AsSpan().Fill(Nobody);
        return owners;
    }
}
