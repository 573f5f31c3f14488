using System.Buffers;
using System.Globalization;
using Restore.Catalog;
using Restore.Planning;
using Restore.Planning.Records;

namespace Restore.Restoring;

/// <summary>
/// The record of a run: a file at the target that names what the run is about to make, so that the next run knows it if this one is interrupted. Names are
/// on the device before their files exist: they are written ahead, in chunks that double, with one flush for each. Without a record (the target
/// refuses it) the run goes on. Safe for concurrent use.
/// </summary>
/// <param name="plan">The plan.</param>
/// <param name="target">The target.</param>
/// <param name="id">The id of the run.</param>
/// <param name="time">The clock.</param>
internal sealed class RunRecord(RestorePlan plan, IRestoreTarget target, ulong id, TimeProvider time) : IDisposable
{
    private const int FirstNames = 64;

    // A failure that passes must not leave the run without a record: what an interrupted one leaves would stay for ever.
    private const int MostRefusals = 3;

    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(1);

    private readonly EntryPlans entries = plan.Pass.Entries;
    private readonly bool[] named = new bool[plan.Pass.Entries.Count];
    private readonly Lock gate = new();
    private readonly ArrayBufferWriter<byte> chunk = new();
    private readonly string path = PathOf(plan, id);
    private volatile bool isOff = plan.Options.VerifyOnly;
    private bool areAllNamed;
    private bool mayBeOurs;
    private int refusals;
    private int nextNames = FirstNames;
    private long length;
    private long noted = time.GetTimestamp();
    private ITargetFile? file;
    private volatile string? leftBehind;

    /// <summary>The folder of the record.</summary>
    public string Folder => path[..Math.Max(path.LastIndexOf('/'), 0)];

    /// <summary>Why there is no record, or not all of it; null if there is.</summary>
    public string? Problem { get; private set; }

    /// <summary>The temporary path of an entry that replaces something.</summary>
    public string TemporaryOf(EntryId entry) => RecordNames.Beside(entries.TargetPath(entry), RecordNames.Temporary(id, entry));

    /// <summary>Names an entry, and those that are likely to come next, before anything of it is made.</summary>
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
                bool replaces = entries[name] == EntryAction.Replace || !plan.Pass.Content.IsFile(name);
                RecordFormat.Write(
                    chunk, replaces ? RecordFormat.Temporary : RecordFormat.Made, replaces ? TemporaryOf(name) : entries.TargetPath(name));
            }

            if (TryAppend(isFlushed: !plan.Options.SkipFlush))
            {
                areAllNamed = names.Count <= nextNames;
                nextNames *= 2;
                names.ForEach(name => Volatile.Write(ref named[name], true));
            }
        }
    }

    /// <summary>Takes back a name that somebody else has taken meanwhile.</summary>
    public void TakeBack(EntryId entry)
    {
        lock (gate)
        {
            if (!isOff)
            {
                RecordFormat.Write(chunk, RecordFormat.NotMade, entries.TargetPath(entry));
                TryAppend(isFlushed: false);
            }
        }
    }

    /// <summary>Takes note that the run goes on, by the time of the record: what has a later time was changed by somebody else.</summary>
    public void NoteWrite()
    {
        if (file is null || time.GetElapsedTime(Volatile.Read(ref noted)) < Interval || !gate.TryEnter())
        {
            return;
        }

        try
        {
            noted = time.GetTimestamp();
            file?.Write(0, RecordFormat.Head[..1]);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or RestoreException)
        {
            TurnOff(failure);
        }
        finally
        {
            gate.Exit();
        }
    }

    /// <summary>Keeps the record after the run, because something that it names could not be removed.</summary>
    public void Keep(Exception failure) => leftBehind = failure.Reason();

    /// <summary>Removes the record: the run has ended well, and the device has everything.</summary>
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
                Problem = $"The record of the restore stays, because the next restore must remove what this one could not: {leftBehind}";
                return;
            }

            try
            {
                target.DeleteFile(path);
            }
            catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or RestoreException)
            {
                Problem = $"The record of the restore could not be removed: {failure.Reason()}";
            }
        }
    }

    /// <summary>Closes the record. That it cannot be closed costs nothing of this run.</summary>
    public void Dispose()
    {
        ITargetFile? open = file;
        file = null;
        ContentWriter.Attempt(() => open?.Dispose());
    }

    private static string PathOf(RestorePlan plan, ulong id)
    {
        string folder = RecordFolder.Of(plan.Pass.Entries, plan.Options);
        return folder.Length == 0 ? RecordNames.Record(id) : $"{folder}/{RecordNames.Record(id)}";
    }

    /// <summary>The entries without a name yet that need one, from an entry on to the end and then from the start.</summary>
    private IEnumerable<EntryId> Following(EntryId entry)
    {
        for (int step = 1; step < named.Length; step++)
        {
            EntryId next = new((entry + step) % named.Length);
            if (!named[next]
                && !entries.IsShared(next)
                && (plan.Pass.WritesFile(next) || (entries[next] == EntryAction.Replace && plan.Pass.Includes(next))))
            {
                yield return next;
            }
        }
    }

    private bool TryAppend(bool isFlushed)
    {
        try
        {
            ITargetFile record = file ??= Create();
            if (refusals > 0)
            {
                // What a write that failed has left.
                record.SetLength(length);
            }

            record.Write(length, chunk.WrittenSpan);
            if (isFlushed)
            {
                record.Flush();
            }

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
        // Machines that take the same part of a split plan at the same time give their records one name: that of another one stays.
        mayBeOurs |= target.Inspect(path).Kind == TargetKind.Nothing;
        ITargetFile? record = null;
        try
        {
            record = target.OpenFile(path, TargetOpenMode.CreateNew);
            record.TryLock();
            record.Write(0, RecordFormat.Head);
            ArrayBufferWriter<byte> begun = new();
            RecordFormat.Write(begun, RecordFormat.Begun, record.ModifiedTicks.ToString(CultureInfo.InvariantCulture));
            record.Write(RecordFormat.Head.Length, begun.WrittenSpan);
            length = RecordFormat.Head.Length + begun.WrittenCount;
            return record;
        }
        catch
        {
            // It can be there although its creation failed: what a file system does last may fail too.
            ContentWriter.Attempt(() => record?.Dispose());
            if (mayBeOurs)
            {
                ContentWriter.Attempt(() => target.DeleteFile(path));
            }

            throw;
        }
    }

    private void TurnOff(Exception failure)
    {
        isOff = ++refusals >= MostRefusals;
        Problem = $"The record of the restore could not be written; if the restore is interrupted, the next one cannot continue it: {failure.Reason()}";
    }
}
