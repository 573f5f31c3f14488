using Restore.Planning.Paths;
using Restore.Planning.Scanning;
using Restore.Resume;

namespace Restore.Restoring;

/// <summary>What the writers of the files of a pass share, in every flow.</summary>
internal sealed record FileContext(
    PassPlan Plan,
    IRestoreTarget Target,
    IRestoreTarget? OriginalPlaces,
    RestoreOptions Options,
    EntryStates States,
    BufferPool Pool,
    EntryResults? Results = null,
    LeftOutAttributes? LeftOut = null,
    RunRecord? Record = null
)
{
    private int current = EntryId.None;

    private OwnerMap? Owners { get; } = OwnerMap.Of(Options);

    public MetadataMemory Metadata { get; } = new();

    /// <summary>
    /// Where the file of an entry is written: under a partial name until it is whole, then at its
    /// own path.
    /// </summary>
    public string PathToWrite(EntryId entry) =>
        IsShared(entry) ? Shard!.SharedPath(Plan.Entries.TargetPath(entry), entry)
        : IsPartial(entry) ? PartialOf(Plan, Record!, entry)
        : States.PlaceOf(entry) ?? Plan.Entries.TargetPath(entry);

    /// <summary>
    /// Where an entry is made until it is whole; an interrupted run may have begun it there.
    /// </summary>
    public static string PartialOf(PassPlan plan, RunRecord record, EntryId entry) =>
        plan.Entries.PartialOf(entry) ?? record.PartialOf(entry);

    /// <summary>Whether the file has content that this run did not write.</summary>
    public bool IsContinued(EntryId entry) => Plan.Entries.IsBegun(entry);

    public RenameRule? Renaming { get; init; }

    /// <summary>Whether new files get their full length first.</summary>
    public bool PreallocatesSize { get; init; }

    /// <summary>The part of a split plan that the pass belongs to; null for a whole plan.</summary>
    public ShardIdentity? Shard { get; init; }

    public bool IsShared(EntryId entry) => Plan.Entries.IsShared(entry);

    /// <summary>
    /// Opens the file of an entry for writing, as the plan decided; a file that this run already
    /// started is reopened and continued.
    /// </summary>
    public ITargetFile OpenForWriting(EntryId entry, string path, out bool isNew)
    {
        Shard?.RequireHeld();
        EntryAction action = Plan.Entries[entry];
        if (IsShared(entry))
        {
            isNew = false;
            ITargetFile shared = Target.OpenFile(path, TargetOpenMode.Share);
            States.SetStarted(entry);
            return shared;
        }

        isNew = !States.IsStarted(entry) && action is EntryAction.Create or EntryAction.Replace;
        if (IsPartial(entry))
        {
            Record!.Intend(entry);
        }

        try
        {
            // Metadata of a file with several names goes to a separate copy. Otherwise, metadata
            // needs no permission to write.
            TargetOpenMode mode =
                isNew ? TargetOpenMode.CreateNew
                : action == EntryAction.Keep && Target.Inspect(path).LinkCount == 1 ? TargetOpenMode.Read
                : TargetOpenMode.Patch;
            ITargetFile file = Target.OpenFile(path, mode, Plan.Content.SizeOf(entry));
            States.SetStarted(entry);
            return file;
        }
        catch (Exception failure)
            when (isNew && IsPartial(entry) && failure is IOException or UnauthorizedAccessException or RestoreException
            )
        {
            // The file can be there although its creation failed: what a file system does last may
            // fail too.
            ExceptionReason.Attempt(() => Target.DeleteFile(path));
            throw;
        }
    }

    /// <summary>The entry that got data last, by any FileProcessor.</summary>
    public EntryId Current
    {
        get => new(Volatile.Read(ref current));
        set => Volatile.Write(ref current, value.Value);
    }

    /// <summary>Held while a large block is copied from a local file.</summary>
    public Lock LargeCopies { get; } = new();

    /// <summary>How many entries a FileProcessor keeps open.</summary>
    public int OpenEntries { get; init; } = 64;

    /// <summary>
    /// Gives a file that is whole and verified, and has no name yet, its path. Most have a name, or
    /// need more than that.
    /// </summary>
    public bool TryPutInPlace(EntryId entry, ITargetFile file)
    {
        if (
            !IsPartial(entry)
            || !States.IsStarted(entry)
            || Plan.Replaces(entry, isAgain: Shard is not null && Options.Overwrite)
        )
        {
            return false;
        }

        Shard?.RequireHeld();
        bool isInPlace = file.TryPutInPlace(Plan.Entries.TargetPath(entry));
        if (isInPlace)
        {
            States.SetInPlace(entry);
        }

        return isInPlace;
    }

    /// <summary>
    /// Puts a closed file that is whole and verified at its path, or next to another file that
    /// appeared there since the scan. A file that another restore created there in the meantime is
    /// the same file.
    /// </summary>
    public void PutInPlace(EntryId entry)
    {
        if (!IsPartial(entry) || !States.IsStarted(entry))
        {
            return;
        }

        Shard?.RequireHeld();
        string partial = PathToWrite(entry);
        string path = Plan.Entries.TargetPath(entry);
        if (Plan.Replaces(entry, isAgain: Shard is not null && Options.Overwrite))
        {
            Target.Rename(partial, path, Options.RestorePermissions);
        }
        else if (!Target.TryPutInPlace(partial, path))
        {
            PutBeside(entry, partial, path);
        }

        States.SetInPlace(entry);
    }

    private void PutBeside(EntryId entry, string partial, string path)
    {
        // The name can be taken by one that the file system does not distinguish from it. A name
        // beside it would not help there.
        if (new OtherNames(Target).Find(path) is string other)
        {
            throw new IOException(OtherNames.Refusal(other)).With(IssueCode.None);
        }

        if (
            Target.Inspect(path).ModifiedTicks == Target.Inspect(partial).ModifiedTicks
            && SameFiles.AreSame(Target, partial, path)
        )
        {
            Target.DeleteFile(partial);
            return;
        }

        string? free = Renaming?.Candidates(path).FirstOrDefault(name => Target.TryPutInPlace(partial, name));
        States.SetPlace(
            entry,
            free
                ?? throw new IOException(
                    $"A different file is at {Target.Display(path)}, and at all the names next to it"
                ).With(IssueCode.NamesTaken)
        );
    }

    /// <summary>Why an entry failed. A failure of its partial file is one of the file.</summary>
    public IssueReason ReasonOf(EntryId entry, Exception failure)
    {
        IssueReason reason = IssueReason.Of(failure);
        return IsPartial(entry)
            ? reason with
            {
                Sentence = reason.Sentence.Replace(
                    Target.Display(PathToWrite(entry)),
                    Target.Display(Plan.Entries.TargetPath(entry))
                ),
            }
            : reason;
    }

    /// <summary>
    /// Removes the file of an entry that failed, unless it was at its path before.
    /// </summary>
    public void DeleteFailed(EntryId entry, bool isNew)
    {
        if (Shard?.IsHeld() == false && !IsPartial(entry))
        {
            // Another process restores the part by now, and the file may be its own.
            return;
        }

        if (!IsShared(entry) && (isNew || IsPartial(entry)))
        {
            Exception? failure = ExceptionReason.Attempt(() => Target.DeleteFile(PathToWrite(entry)));
            Record?.KeepAfter(failure);
        }
    }

    private bool IsPartial(EntryId entry) =>
        Record is not null && IsPartial(Plan, Options, entry) && !States.IsInPlace(entry);

    /// <summary>
    /// Whether a file is written under a partial name until it is whole. A drill writes none.
    /// </summary>
    public static bool IsPartial(PassPlan plan, RestoreOptions options, EntryId entry) =>
        plan.Content.IsFile(entry)
        && plan.Entries[entry] is EntryAction.Create or EntryAction.Replace
        && !plan.Entries.IsShared(entry)
        && !options.VerifyOnly;

    public TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>
    /// Applies metadata to a file. A file that is not whole gets the time of the restore instead of
    /// the backup's, so that nothing takes it for the right one. A time that the metadata lacks is
    /// in the file list, to the second. What fails here never costs the content.
    /// </summary>
    /// <returns>What could not be applied, one sentence each.</returns>
    public IReadOnlyList<string> Apply(EntryId entry, EntryMetadata? metadata, bool isWhole, Func<ITargetFile> open)
    {
        if (metadata is not null)
        {
            LeftOut?.Note(entry, metadata);
            metadata = Owners?.Apply(metadata) ?? metadata;
        }

        try
        {
            if (isWhole)
            {
                // A new file that has no metadata in the backup still gets the usual mode.
                return metadata is null && !Plan.BringsContent(entry)
                    ? []
                    : ApplyKnown(entry, WithTime(entry, metadata), isLost: IsLost(entry, metadata), open);
            }

            EntryMetadata withoutTime = (metadata ?? EntryMetadata.Empty) with { LastWriteTicks = null };
            IReadOnlyList<string> problems = ApplyKnown(entry, withoutTime, isLost: IsLost(entry, metadata), open);
            open().SetModified(Time.GetUtcNow().Ticks);
            return problems;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return [$"The metadata could not be set: {failure.Reason()}"];
        }
    }

    /// <summary>
    /// Applies what is known. A new file with lost metadata may have been open to its owner alone,
    /// so it is that: without metadata it stays marked as unfinished, and a later restore, with the
    /// missing volume, gives it its mode.
    /// </summary>
    private IReadOnlyList<string> ApplyKnown(EntryId entry, EntryMetadata known, bool isLost, Func<ITargetFile> open)
    {
        if (!isLost)
        {
            const int OwnerAlone = 0x180;
            bool isModeLost = known is { Mode: null, Unusable.Count: > 0 } && Plan.BringsContent(entry);
            return open()
                .ApplyMetadata(isModeLost ? known with { Mode = OwnerAlone } : known, Options.RestorePermissions);
        }

        ITargetFile file = open();
        if (known.LastWriteTicks is long ticks)
        {
            file.SetModified(ticks);
        }

        return [];
    }

    private bool IsLost(EntryId entry, EntryMetadata? metadata) =>
        metadata is null && !Options.SkipMetadata && !Plan.Content.Entries[entry].Metadata.IsNone;

    private EntryMetadata WithTime(EntryId entry, EntryMetadata? metadata)
    {
        EntryMetadata known = metadata ?? EntryMetadata.Empty;
        EntryRow row = Plan.Content.Entries[entry];
        if (known.LastWriteTicks is not null || Options.SkipMetadata || row.TimeTicks == 0)
        {
            return known;
        }

        // Lost metadata marks the time, so that a later restore brings the metadata if it can be
        // read by then.
        bool isLost = IsLost(entry, metadata) || known.Unusable.Count > 0;
        return known with { LastWriteTicks = isLost ? ListedTime.WithoutMetadata(row.TimeTicks) : row.TimeTicks };
    }

    public ITargetFile OpenLocal(EntryId entry)
    {
        LocalBlocks local = Plan.Entries.LocalBlocksOf(entry)!;
        return SourceOf(local).OpenFile(local.Path, TargetOpenMode.Read);
    }

    /// <summary>
    /// Reads a block out of the local file, and verifies it: the file may have changed since it was
    /// compared.
    /// </summary>
    public PooledBuffer ReadLocal(EntryId entry, int index, ITargetFile file)
    {
        BlockId block = Plan.BlockOf(entry, Item.Content(index));
        PooledBuffer buffer = Pool.Rent(Plan.Content.Blocks.SizeOf(block));
        try
        {
            if (TargetComparison.HasBlock(Plan.Content, file, index, buffer.Span, block))
            {
                return buffer;
            }
        }
        catch
        {
            buffer.Dispose();
            throw;
        }

        buffer.Dispose();
        LocalBlocks local = Plan.Entries.LocalBlocksOf(entry)!;
        throw new IOException(
            $"The local file {SourceOf(local).Display(local.Path)} changed while blocks were taken from it"
        ).With(IssueCode.LocalFileChanged);
    }

    private IRestoreTarget SourceOf(LocalBlocks local) => local.IsOriginal ? OriginalPlaces! : Target;
}
