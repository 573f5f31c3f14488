namespace Restore.Assessment;

/// <summary>
/// Reads the lists of versions one after the other, oldest first, and finds out what happened
/// between them. A list that is not whole counts as what it has; the rest stays as it was.
/// </summary>
internal sealed class ListsInOrder
{
    private readonly TransitionReader transitions;

    public ListsInOrder() => transitions = new TransitionReader(Table, Log);

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
