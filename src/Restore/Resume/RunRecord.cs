namespace Restore.Resume;

/// <summary>The entries that a run may make under partial names.</summary>
/// <param name="IsPartial">Whether the run is likely to make an entry under a partial name.</param>
internal sealed record RecordedEntries(int Count, Func<EntryId, string> PathOf, Predicate<EntryId> IsPartial);

/// <summary>
/// The record of a run: a file at the target that names the partial files that the run is about to
/// make, so that the next run finds them if this one is interrupted. Names are on the device before
/// their files exist: they are written ahead, in chunks that double, with one flush for each.
/// Without a record (the target refuses it) the run goes on. Safe for concurrent use.
/// </summary>
internal sealed class RunRecord(IRestoreTarget target, string folder, ulong id, RecordedEntries entries) : IDisposable
{
    private const int FirstNames = 64;

    // A temporary failure must not leave the run without a record: the partial files of an
    // interrupted run would stay forever.
    private const int MostRefusals = 3;

    private readonly bool[] named = new bool[entries.Count];
    private readonly Lock gate = new();
    private readonly ArrayBufferWriter<byte> chunk = new();
    private readonly string path = RecordNames.In(folder, RecordNames.Record(id));
    private readonly List<(string Path, int Mode)> opening = [];
    private volatile bool isOff;
    private bool areAllNamed;
    private bool mayBeOurs;
    private int refusals;
    private int nextNames = FirstNames;
    private long length;
    private Action? createdLater;
    private bool isAnnounced;
    private ITargetFile? file;
    private volatile string? leftBehind;

    /// <summary>Whether the run writes nothing, and needs no record.</summary>
    public bool IsOff
    {
        init => isOff = value;
    }

    /// <summary>Whether the device has the names before the files are made.</summary>
    public bool IsFlushed { get; init; } = true;

    public string Folder => folder;

    public string Path => path;

    /// <summary>Why the record is missing or incomplete; null if it is complete.</summary>
    public string? Problem { get; private set; }

    /// <summary>Where an entry is written until it is whole.</summary>
    public string PartialOf(EntryId entry) => RecordNames.NextTo(entries.PathOf(entry), RecordNames.Partial(id, entry));

    /// <summary>
    /// Names the first entries before anything is made, so that another run sees this one.
    /// </summary>
    /// <param name="createdLater">If the record is not at the target yet, because the run names
    /// nothing so far or the target refused it, this is called as soon as it is, before anything of
    /// the run is made. An exception ends what caused the creation.</param>
    /// <returns>Whether the record is at the target.</returns>
    public bool Begin(Action createdLater)
    {
        EntryId first = new(0);
        while (first < entries.Count && !entries.IsPartial(first))
        {
            first = new EntryId(first + 1);
        }

        if (first < entries.Count)
        {
            Intend(first);
        }

        lock (gate)
        {
            this.createdLater = createdLater;
            return isAnnounced;
        }
    }

    /// <summary>
    /// Names an entry, and the entries that are likely to come next, before anything of it is
    /// created.
    /// </summary>
    public void Intend(EntryId entry)
    {
        if (isOff || Volatile.Read(ref named[entry]))
        {
            return;
        }

        lock (gate)
        {
            if (isOff || named[entry])
            {
                return;
            }

            List<EntryId> names = [entry, .. areAllNamed ? [] : Following(entry).Take(nextNames)];
            foreach (EntryId name in names)
            {
                RecordFormat.Write(chunk, name, entries.PathOf(name));
            }

            if (TryAppend())
            {
                // Not when the file is made: its first write can fail, and another run finds a
                // record only once it names something.
                if (!isAnnounced)
                {
                    isAnnounced = true;
                    createdLater?.Invoke();
                }

                // Fewer names than were asked for: no entry is left to name ahead.
                areAllNamed = names.Count <= nextNames;
                nextNames *= 2;
                names.ForEach(name => Volatile.Write(ref named[name], true));
            }
        }
    }

    /// <summary>
    /// Names a folder that is about to be opened to its owner, with its mode. If the record does
    /// not exist yet, the folder is named when the record is created.
    /// </summary>
    public void Opening(string folderPath, int mode)
    {
        lock (gate)
        {
            if (isOff)
            {
                return;
            }

            opening.Add((folderPath, mode));
            if (file is not null)
            {
                TryAppend();
            }
        }
    }

    /// <summary>
    /// Keeps the record after the run, if something that it names could not be removed.
    /// </summary>
    public void KeepAfter(Exception? failure) => leftBehind = failure?.Reason() ?? leftBehind;

    /// <summary>
    /// Removes the record: the run has ended well, and the device has everything.
    /// </summary>
    public void Remove()
    {
        lock (gate)
        {
            if (length == 0 && !mayBeOurs)
            {
                return;
            }

            Dispose();
            isOff = true;
            if (leftBehind is not null && length > 0)
            {
                Problem =
                    $"The record of the restore stays, because the next restore must remove what this one could not: {leftBehind}";
                return;
            }

            if (ExceptionReason.Attempt(() => target.DeleteFile(path)) is { } failure)
            {
                Problem = $"The record of the restore could not be removed: {failure.Reason()}";
            }
        }
    }

    /// <summary>Closes the record. A failure to close it does not affect this run.</summary>
    public void Dispose()
    {
        ITargetFile? open = file;
        file = null;
        ExceptionReason.Attempt(() => open?.Dispose());
    }

    /// <summary>
    /// The entries without a name yet that need one, from an entry on to the end and then from the
    /// start.
    /// </summary>
    private IEnumerable<EntryId> Following(EntryId entry)
    {
        for (int step = 1; step < named.Length; step++)
        {
            EntryId next = new((entry + step) % named.Length);
            if (!named[next] && entries.IsPartial(next))
            {
                yield return next;
            }
        }
    }

    private bool TryAppend()
    {
        try
        {
            ITargetFile record = file ??= Create();
            if (refusals > 0)
            {
                // Removes what a failed write left.
                record.SetLength(length);
            }

            opening.ForEach(folder => RecordFormat.WriteMode(chunk, folder.Mode, folder.Path));

            // The length moves on only after the flush, so a chunk that failed is overwritten by
            // the next one.
            record.Write(length, chunk.WrittenSpan);
            if (IsFlushed)
            {
                record.Flush();
            }

            // Only now: modes that could not be written are tried again with the next chunk.
            opening.Clear();
            length += chunk.WrittenCount;
            Problem = null;
            return true;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or RestoreException)
        {
            TurnOff(failure);
            return false;
        }
        finally
        {
            chunk.Clear();
        }
    }

    private ITargetFile Create()
    {
        // Machines that take the same part of a split plan at the same time give their records the
        // same name. The record of another machine stays.
        mayBeOurs |= target.Inspect(path).Kind == TargetKind.Nothing;
        ITargetFile? record = null;
        try
        {
            record = target.OpenFile(path, TargetOpenMode.CreateNew);
            record.TryLock();
            record.Write(0, RecordFormat.Head);
            length = RecordFormat.Head.Length;
            return record;
        }
        catch
        {
            // It can be there although its creation failed: what a file system does last may fail
            // too.
            ExceptionReason.Attempt(() => record?.Dispose());
            if (mayBeOurs)
            {
                ExceptionReason.Attempt(() => target.DeleteFile(path));
            }

            throw;
        }
    }

    private void TurnOff(Exception failure)
    {
        isOff = ++refusals >= MostRefusals;
        Problem =
            $"The record of the restore could not be written; if the restore is interrupted, the next one cannot continue it: {failure.Reason()}";
    }
}
