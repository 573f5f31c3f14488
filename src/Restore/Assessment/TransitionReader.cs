namespace Restore.Assessment;

/// <summary>
/// Compares the version in the table with the one before it, and writes what happened to each file
/// into the log.
/// </summary>
internal sealed class TransitionReader(FileTable table, SegmentedList<FileEvent> log)
{
    private const double OneTimeShare = 0.5;
    private const int LeastTouched = 20;

    private readonly MadeFiles made = new(table);

    /// <param name="isWhole">False if the list is not all of the version: what it lacks stays as it
    /// was.</param>
    public Transition Read(bool isWhole)
    {
        int version = table.Version;
        made.FindRoot();
        long[] filesOfTypes = new long[table.TypeCount];
        int[] filesOfFolders = new int[table.FolderCount];
        long[] steadyOfTypes = new long[table.TypeCount];
        List<int> removed = [];
        (long before, int steady) = (0, 0);
        for (int row = 0; row < table.Count; row++)
        {
            ref FileRow file = ref table[row];
            if (file.Seen < version - 1 || file.FirstSeen == version)
            {
                continue;
            }

            if (!file.IsLink)
            {
                bool isSteady = file.IsCold && !made.Is(row);
                before++;
                steady += isSteady ? 1 : 0;
                filesOfFolders[table.FolderOf(row)]++;
                filesOfTypes[file.Type]++;
                steadyOfTypes[file.Type] += isSteady ? 1 : 0;
            }

            if (file.Seen == version - 1)
            {
                Leave(row, isWhole, removed);
            }
        }

        Transition transition = new(version, before)
        {
            Files = table.Files,
            Bytes = table.Bytes,
            Steady = steady,
            EventsFrom = log.Count,
        };
        if (version > 0)
        {
            Compare(transition, removed, filesOfTypes, steadyOfTypes, filesOfFolders);
        }
        else
        {
            foreach (int row in table.Added)
            {
                log.Add(new FileEvent(row, EventKind.Added, IsDoubtful: false, Signs.None, ContentOf(row)));
            }
        }

        transition.EventsTo = log.Count;
        return transition;
    }

    private void Leave(int row, bool isWhole, List<int> removed)
    {
        if (isWhole)
        {
            removed.Add(row);
        }
        else
        {
            table[row].Seen = table.Version;
        }
    }

    private void Compare(
        Transition transition,
        List<int> removed,
        long[] filesOfTypes,
        long[] steadyOfTypes,
        int[] filesOfFolders
    )
    {
        Signs[] changed = new ChangedSigns(table, made, transition).Read(steadyOfTypes, removed);
        Dictionary<int, Signs> added = [];
        AddedNames names = new(table, made, transition);
        names.Read(added);
        LostFiles lost = new(table, made, transition);
        lost.Removed.AddRange(removed);
        lost.Read(filesOfTypes, filesOfFolders);
        transition.NoteFollowsHarm = new NoteFolders(table, made).FollowHarm(
            names.NoteFolders,
            removed.Where(row => !lost.MovedAway.Contains(row)),
            filesOfFolders
        );
        ReadTouched(transition);
        HashSet<int> doubtful = new DoubtfulFiles(table, made, transition).Among(changed);
        doubtful.UnionWith(lost.Doubtful);
        for (int i = 0; i < changed.Length; i++)
        {
            int row = table.Changed[i].Row;
            log.Add(new FileEvent(row, EventKind.Changed, doubtful.Contains(row), changed[i], ContentOf(row)));
        }

        foreach (int row in removed)
        {
            bool isMoved = lost.MovedAway.Contains(row);
            EventKind kind = isMoved ? EventKind.MovedAway : EventKind.Removed;
            log.Add(new FileEvent(row, kind, doubtful.Contains(row), lost.SignsOf(row)));
        }

        foreach (int row in table.Added)
        {
            EventKind kind = lost.MovedHere.Contains(row) ? EventKind.MovedHere : EventKind.Added;
            Signs signs = lost.SignsOf(row) | added.GetValueOrDefault(row);
            table[row].CameWithAttack = (signs & (Signs.Replacement | Signs.Note | Signs.ConflictCopy)) != 0;
            log.Add(new FileEvent(row, kind, doubtful.Contains(row), signs, ContentOf(row)));
        }

        KeepAges(lost.MovedAway, lost.MovedHere);
        transition.Changed = changed.Length;
        transition.Removed = removed.Count - lost.MovedAway.Count;
        transition.Added = table.Added.Count - lost.MovedHere.Count;
        transition.Moved = lost.MovedAway.Count;
    }

    /// <summary>What has another name now is as old as it was.</summary>
    private void KeepAges(IEnumerable<int> movedAway, IEnumerable<int> movedHere)
    {
        Dictionary<ulong, int> ages = [];
        foreach (int row in movedAway)
        {
            ref int first = ref CollectionsMarshal.GetValueRefOrAddDefault(ages, table[row].Content, out bool isKnown);
            first = isKnown ? Math.Min(first, table[row].FirstSeen) : table[row].FirstSeen;
        }

        foreach (int row in movedHere)
        {
            if (ages.TryGetValue(table[row].Content, out int first))
            {
                table[row].FirstSeen = first;
            }
        }
    }

    private ulong ContentOf(int row) => table[row].SizeBytes == 0 ? 0 : table[row].Content;

    /// <summary>
    /// Files with the same content and one new time, if their times were different before.
    /// </summary>
    private void ReadTouched(Transition transition)
    {
        if (table.Touched.Count < LeastTouched)
        {
            return;
        }

        (long time, int count) = table.Touched.CountBy(file => table[file.Row].TimeTicks).MaxBy(group => group.Value);
        int before = table
            .Touched.Where(file => table[file.Row].TimeTicks == time)
            .Select(file => file.OldTimeTicks)
            .Distinct()
            .Count();
        if (count < LeastTouched || before < OneTimeShare * count)
        {
            return;
        }

        transition[Signs.OneTime] = count;
        transition.Details[Signs.OneTime] =
            new DateTime(time, DateTimeKind.Utc).ToString("yyyy-MM-dd HH:mm:ss", CultureInfo.InvariantCulture) + " UTC";
        foreach ((int row, _) in table.Touched)
        {
            if (table[row].TimeTicks == time)
            {
                log.Add(new FileEvent(row, EventKind.Touched, IsDoubtful: false, Signs.OneTime));
            }
        }
    }
}
