using Restore.Planning.Scanning;

namespace Restore.Restoring;

/// <summary>
/// Creates, writes, hashes and finishes the entries it owns; no other process touches them. A
/// failure of an entry is its outcome, and the next entry continues.
/// </summary>
internal sealed class FileProcessor(FileContext context)
{
    private readonly Dictionary<EntryId, EntryInProgress> inProgress = [];
    private readonly LinkedList<EntryInProgress> openFiles = new();

    public async Task RunAsync(IReadChannelEnd<FileWork> input, IWriteChannelEnd<FileFinished> output)
    {
        using FileHasher hasher = new(context.Plan.Content.Layout.FileHash, context.Pool);
        try
        {
            await foreach (FileWork work in input.ReadAllAsync().ConfigureAwait(false))
            {
                FileFinished finished = Do(work, hasher);
                if (finished.Outcomes.Count > 0)
                {
                    await output.WriteAsync(finished).ConfigureAwait(false);
                }
            }
        }
        finally
        {
            // Entries that are still here were interrupted by a stop or a failure: none may look
            // complete.
            foreach (EntryInProgress entry in inProgress.Values)
            {
                entry.Abandon();
            }
        }
    }

    private FileFinished Do(FileWork work, FileHasher hasher)
    {
        using FileWork owned = work;
        FileFinished finished = new();
        while (work.TryTake(out WorkItem item))
        {
            using WorkItem taken = item;
            Do(item, hasher, finished);
        }

        return finished;
    }

    private void Do(in WorkItem item, FileHasher hasher, FileFinished finished)
    {
        if (!inProgress.TryGetValue(item.Entry, out EntryInProgress? entry))
        {
            entry = new EntryInProgress(context, hasher, item.Entry, CloseAll);
            inProgress.Add(item.Entry, entry);
        }

        if (item.Kind is WorkKind.Finish or WorkKind.FinishWithoutMetadata or WorkKind.FinishIncomplete)
        {
            finished.Outcomes.Add(entry.Finish(item.Kind));
            inProgress.Remove(item.Entry);
            Forget(entry);
        }
        else
        {
            entry.Take(item);
            context.Current = item.Entry;
            KeepOpen(entry);
        }
    }

    private void KeepOpen(EntryInProgress entry)
    {
        Forget(entry);
        if (!entry.IsFileOpen)
        {
            return;
        }

        entry.OpenNode = openFiles.AddLast(entry);
        if (openFiles.Count > context.OpenEntries)
        {
            CloseOldest();
        }
    }

    /// <summary>Closes all files, because no handle is free.</summary>
    /// <returns>Whether there were any.</returns>
    private bool CloseAll()
    {
        bool isAny = openFiles.Count > 0;
        while (openFiles.Count > 0)
        {
            CloseOldest();
        }

        return isAny;
    }

    private void CloseOldest()
    {
        EntryInProgress oldest = openFiles.First!.Value;
        oldest.CloseFile();
        Forget(oldest);
    }

    private void Forget(EntryInProgress entry)
    {
        if (entry.OpenNode is not null)
        {
            openFiles.Remove(entry.OpenNode);
            entry.OpenNode = null;
        }
    }
}
