using Restore.Catalog;
using Restore.Format;
using Restore.Memory;
using Restore.Planning;
using Restore.Planning.Scanning;

namespace Restore.Restoring;

/// <summary>What the writers of the files of a pass share, in every flow.</summary>
/// <param name="Plan">The plan of the pass.</param>
/// <param name="Target">Where files go.</param>
/// <param name="OriginalPlaces">The original places of files, if blocks are taken from there.</param>
/// <param name="Options">The options.</param>
/// <param name="States">The state of entries.</param>
/// <param name="Pool">The source of buffers.</param>
/// <param name="Results">Receives the outcome of each entry; null for none.</param>
/// <param name="LeftOut">Counts the extended attributes that are not set; null counts none.</param>
internal sealed record FileContext(
    PassPlan Plan,
    IRestoreTarget Target,
    IRestoreTarget? OriginalPlaces,
    RestoreOptions Options,
    EntryStates States,
    BufferPool Pool,
    EntryResults? Results = null,
    LeftOutAttributes? LeftOut = null)
{
    /// <summary>The memory of metadata that waits.</summary>
    public MetadataMemory Metadata { get; } = new();

    /// <summary>Opens the file of an entry for writing, as the plan decided; a file that this run already started is reopened and continued.</summary>
    /// <param name="entry">The entry.</param>
    /// <param name="path">Its path at the target.</param>
    /// <param name="isNew">Whether this call created the file.</param>
    public ITargetFile OpenForWriting(EntryId entry, string path, out bool isNew)
    {
        EntryAction action = Plan.Entries[entry];
        TargetOpenMode mode = States.IsStarted(entry) || action is EntryAction.Patch or EntryAction.Keep ? TargetOpenMode.Patch
            : action == EntryAction.Replace ? TargetOpenMode.Replace
            : TargetOpenMode.CreateNew;
        ITargetFile file = Target.OpenFile(path, mode, Plan.Content.SizeOf(entry));
        States.SetStarted(entry);
        isNew = mode != TargetOpenMode.Patch;
        return file;
    }

    /// <summary>Reads a file back, and compares its hash.</summary>
    /// <returns>Null if the target keeps nothing to read back.</returns>
    public bool? ReadBack(ITargetFile file, ContentId content, FileHasher hasher)
    {
        long size = Plan.Content.SizeOf(content);
        return size > 0 && !Target.CanReadBack ? null : hasher.Matches(file, size, Plan.Content.FileHashOf(content));
    }

    /// <summary>How many entries a FileProcessor keeps open.</summary>
    public int OpenEntries { get; init; } = 64;

    /// <summary>The clock.</summary>
    public TimeProvider Time { get; init; } = TimeProvider.System;

    /// <summary>
    /// Applies metadata to a file. A file that is not whole gets the time of the restore instead of the backup's, so that nothing takes it for the right one.
    /// What fails here never costs the content.
    /// </summary>
    /// <param name="entry">The entry.</param>
    /// <param name="metadata">The metadata; null if there is none.</param>
    /// <param name="isWhole">Whether the content is complete and verified.</param>
    /// <param name="open">Opens the file.</param>
    /// <returns>What could not be applied, one sentence each.</returns>
    public IReadOnlyList<string> Apply(EntryId entry, EntryMetadata? metadata, bool isWhole, Func<ITargetFile> open)
    {
        if (metadata is not null)
        {
            LeftOut?.Note(entry, metadata);
        }

        try
        {
            if (isWhole)
            {
                return metadata is null ? [] : open().ApplyMetadata(metadata, Options.RestorePermissions);
            }

            EntryMetadata? withoutTime = metadata is null ? null : metadata with { LastWriteTicks = null };
            IReadOnlyList<string> problems = withoutTime is null ? [] : open().ApplyMetadata(withoutTime, Options.RestorePermissions);
            open().SetModified(Time.GetUtcNow().Ticks);
            return problems;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return [$"The metadata could not be set: {failure.Reason()}"];
        }
    }

    /// <summary>Opens the local file that blocks of an entry are copied from.</summary>
    public ITargetFile OpenLocal(EntryId entry)
    {
        LocalBlocks local = Plan.Entries.Local[entry];
        return SourceOf(local).OpenFile(local.Path, TargetOpenMode.Read);
    }

    /// <summary>Reads a block out of the local file, and verifies it: the file may have changed since it was compared.</summary>
    /// <returns>The block, in a buffer of the caller's.</returns>
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
        LocalBlocks local = Plan.Entries.Local[entry];
        throw new IOException($"The local file {SourceOf(local).Display(local.Path)} changed while blocks were taken from it").With(IssueCode.LocalFileChanged);
    }

    private IRestoreTarget SourceOf(LocalBlocks local) => local.IsOriginal ? OriginalPlaces! : Target;
}
