namespace Restore.Streams;

/// <summary>
/// Gives entries to a sink one after another, in the order of the file list. Entries go in groups:
/// while the sink takes one group, the blocks of the next group are fetched. A file that is larger
/// than a group is read ahead by its own stream.
/// </summary>
internal sealed class EntryExport(BlockSource source, IEntrySink sink, IssueLog issues, ProgressMeter progress)
{
    private readonly VersionContent version = source.Version;

    /// <summary>Number of entries of each kind that the sink took whole.</summary>
    public (long Files, long Folders, long Symlinks) Taken { get; private set; }

    /// <summary>Length of the contents of the files that the sink took whole.</summary>
    public long Bytes { get; private set; }

    public async Task RunAsync(CancellationToken cancellationToken)
    {
        // Two groups are in memory: one that the sink takes, and the next one, which is fetched
        // meanwhile.
        Task ahead = Task.CompletedTask;
        List<EntryId>? group = null;
        foreach (List<EntryId> next in source.InGroups(EntryId.UpTo(version.Entries.Count).AsEnumerable(), BytesOf))
        {
            await ahead.WaitAsync(cancellationToken).ConfigureAwait(false);
            ahead = source.FetchAhead(BlocksOf(next));
            await TakeAsync(group, cancellationToken).ConfigureAwait(false);
            group = next;
        }

        await ahead.WaitAsync(cancellationToken).ConfigureAwait(false);
        await TakeAsync(group, cancellationToken).ConfigureAwait(false);
    }

    private long BytesOf(EntryId entry) =>
        long.CreateSaturating((Int128)version.SizeOf(entry) + version.SizeOf(version.Entries[entry].Metadata));

    private IEnumerable<BlockId> BlocksOf(List<EntryId> group)
    {
        foreach (EntryId entry in group)
        {
            ContentBlocks metadata = new(version, version.Entries[entry].Metadata);
            ContentBlocks content = new(version, version.Entries[entry].Content);
            foreach (BlockId block in metadata.Range(0, metadata.Count))
            {
                yield return block;
            }

            int ahead = source.Refused.ContainsKey(entry)
                ? 0
                : Math.Min(content.Count, content.EndAfter(0, source.WindowBytes));
            foreach (BlockId block in content.Range(0, ahead))
            {
                yield return block;
            }
        }
    }

    private async Task TakeAsync(List<EntryId>? group, CancellationToken cancellationToken)
    {
        foreach (EntryId entry in group ?? [])
        {
            cancellationToken.ThrowIfCancellationRequested();
            await TakeAsync(entry, cancellationToken).ConfigureAwait(false);
            progress.Report();
        }
    }

    private async Task TakeAsync(EntryId entry, CancellationToken cancellationToken)
    {
        EntryRow row = version.Entries[entry];
        BackupEntry listed = ListedEntries.Of(version, entry);
        if (source.Refused.TryGetValue(entry, out IssueReason refusal))
        {
            issues.Add(new RestoreIssue(IssueKind.Refused, listed.Path, refusal.Sentence) { Code = refusal.Code });
            return;
        }

        byte[]? blob = await source.ReadWholeAsync(row.Metadata, cancellationToken).ConfigureAwait(false);
        EntryMetadata metadata = blob is null ? EntryMetadata.Empty : EntryMetadata.Parse(blob);
        if (row.Kind == EntryKind.Symlink && metadata.SymlinkTarget is null)
        {
            issues.Add(
                blob is null
                    ? new RestoreIssue(IssueKind.Missing, listed.Path, "The target of the link is lost")
                    {
                        MetadataLost = true,
                    }
                    : new RestoreIssue(IssueKind.Refused, listed.Path, "The metadata of the link has no target")
            );
            return;
        }

        foreach (string problem in metadata.Unusable)
        {
            issues.Add(new RestoreIssue(IssueKind.Metadata, listed.Path, problem) { MetadataLost = true });
        }

        ContentBlocks blocks = new(version, listed.Kind == BackupEntryKind.File ? row.Content : ContentId.None);
        ContentStream content = new(source, blocks, listed.Path, ownsSource: false, isBegun: true)
        {
            Advanced = progress.Advance,
            Entry = entry,
        };
        await using (content.ConfigureAwait(false))
        {
            bool isMetadataLost = blob is null && !row.Metadata.IsNone;
            if (
                row.Kind != EntryKind.Symlink
                && metadata.Mode is null
                && (isMetadataLost || metadata.Unusable.Count > 0)
            )
            {
                // The original mode is unknown, and may have been open to the owner alone.
                const int OwnerOfFolder = 0x1C0,
                    OwnerOfFile = 0x180;
                metadata = metadata with { Mode = row.Kind == EntryKind.Folder ? OwnerOfFolder : OwnerOfFile };
            }

            if (
                await TryTakeAsync(ExportedEntry.Of(listed, metadata), content, isMetadataLost, cancellationToken)
                    .ConfigureAwait(false)
            )
            {
                if (!version.IsAbove(entry))
                {
                    Count(listed, content.Furthest);
                }
            }
        }
    }

    /// <summary>
    /// Passes an entry to the sink. Lost bytes are an issue, even if the sink handles them; any
    /// other failure belongs to the sink.
    /// </summary>
    private async Task<bool> TryTakeAsync(
        ExportedEntry entry,
        ContentStream content,
        bool isMetadataLost,
        CancellationToken cancellationToken
    )
    {
        try
        {
            await sink.TakeAsync(entry, content, cancellationToken).ConfigureAwait(false);
        }
        catch (IOException failure) when (content.HasThrown(failure)) { }

        if (content.Lost.Count > 0)
        {
            long bytes = content.Lost.Sum(range => range.To - range.From);
            bool isGone = bytes == entry.Entry.SizeBytes;
            string reason = isGone
                ? EntryLosses.Sentence(IssueKind.Missing, bytes, bytes)
                : $"At least {bytes:N0} of {entry.Entry.SizeBytes:N0} bytes are in no volume that can be read";
            issues.Add(
                new RestoreIssue(isGone ? IssueKind.Missing : IssueKind.Damaged, entry.Entry.Path, reason)
                {
                    LostRanges = [.. content.Lost],
                    MetadataLost = isMetadataLost,
                }
            );
        }
        else if (content.IsContradicted)
        {
            issues.Add(
                new RestoreIssue(
                    IssueKind.Damaged,
                    entry.Entry.Path,
                    "All blocks are sound, but the file does not have the recorded hash"
                )
                {
                    Unverified = true,
                    MetadataLost = isMetadataLost,
                }
            );
        }
        else if (isMetadataLost)
        {
            string reason = EntryLosses.Sentence(IssueKind.Metadata, 0, entry.Entry.SizeBytes);
            issues.Add(new RestoreIssue(IssueKind.Metadata, entry.Entry.Path, reason) { MetadataLost = true });
        }

        return content.Lost.Count == 0 && !content.IsContradicted;
    }

    private void Count(BackupEntry entry, long countedBytes)
    {
        (long files, long folders, long symlinks) = Taken;
        Taken = entry.Kind switch
        {
            BackupEntryKind.File => (files + 1, folders, symlinks),
            BackupEntryKind.Folder => (files, folders + 1, symlinks),
            _ => (files, folders, symlinks + 1),
        };
        Bytes += entry.SizeBytes;
        progress.EntryDone(entry.SizeBytes - countedBytes, entry.Kind == BackupEntryKind.File);
    }
}
