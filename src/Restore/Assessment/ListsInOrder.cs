namespace Restore.Assessment;

/// <summary>
/// Reads the lists of versions one after the other, oldest first, and finds out what happened
/// between them. A list that is not whole counts as what it has; the rest stays as it was.
/// </summary>
internal sealed class ListsInOrder
{
    /// <summary>
    /// Changes of all versions together, 16 bytes each; a version adds at most one for each path.
    /// </summary>
    public const int DefaultMaxChanges = 32 << 20;

    private readonly TransitionReader transitions;

    public ListsInOrder() => transitions = new TransitionReader(Table, Log);

    /// <summary>So many changes are held; a history made to fill the memory has more.</summary>
    public int MaxChanges { get; init; } = DefaultMaxChanges;

    /// <summary>Whether no other version may be added.</summary>
    public bool IsFull => Log.Count >= MaxChanges;

    /// <summary>Older versions that were left out because of that.</summary>
    public int VersionsLeftOut { get; init; }

    public FileTable Table { get; } = new();

    public SegmentedList<FileEvent> Log { get; } = new();

    public List<Transition> Transitions { get; } = [];

    /// <summary>
    /// The versions in the order they were read; those that cannot be read at all are not among the
    /// transitions.
    /// </summary>
    public List<ReadList> States { get; } = [];

    /// <summary>The versions of the transitions.</summary>
    public List<BackupVersion> Versions { get; } = [];

    /// <param name="pass">Passes the entries of a version, and says what is wrong with its list;
    /// null if nothing is.</param>
    public async Task AddAsync(BackupVersion version, Func<Action<EntryInList>, Task<string?>> pass)
    {
        bool isAny = false;
        string? defect = await pass(Receive).ConfigureAwait(false);
        States.Add(new ReadList(version, defect, isAny || defect is null));
        if (isAny || defect is null)
        {
            Begin();
            Versions.Add(version);
            Transitions.Add(transitions.Read(isWhole: defect is null));
        }

        void Receive(EntryInList entry)
        {
            Begin();
            Table.Add(entry);
        }

        void Begin()
        {
            if (!isAny)
            {
                isAny = true;
                Table.Begin();
            }
        }
    }
}
