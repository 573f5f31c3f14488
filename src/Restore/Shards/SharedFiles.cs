using Restore.Ends;
using Restore.Planning.Paths;
using Restore.Planning.Scanning;
using Restore.Restoring;

namespace Restore.Shards;

/// <summary>
/// The files that several parts wrote: verified as a whole, given their metadata, and put at their
/// paths. Doing it again changes nothing.
/// </summary>
/// <param name="lost">By path: what each part lost of a file.</param>
internal sealed class SharedFiles(
    RestorePlan plan,
    IRestoreTarget target,
    PlanSplit split,
    ShardIdentity identity,
    FileContext context,
    RenameRule renaming,
    ILookup<string, IReadOnlyList<ByteRange>> lost
)
{
    private readonly VersionContent content = plan.Pass.Content;
    private readonly List<(EntryId Entry, string Place, bool IsWhole, bool IsVerified)> ready = [];

    /// <summary>Whether files are read from the device, and not from the page cache.</summary>
    public bool VerifiesAfter { get; init; }

    public List<RestoreIssue> Issues { get; } = [];

    public long FilesRestored { get; private set; }

    public long BytesRestored { get; private set; }

    /// <summary>Bytes of zeros that no part wrote.</summary>
    public long BytesOfHoles { get; private set; }

    /// <summary>Files that did not arrive at all.</summary>
    public HashSet<string> Gone { get; } = new(StringComparer.Ordinal);

    /// <summary>Verifies a file, and gives it its metadata.</summary>
    /// <exception cref="ShardsWrongException">Parts have to be restored again.</exception>
    public void Verify(EntryId entry, IReadOnlyList<DeferredEntry> shares)
    {
        string path = plan.Pass.Entries.TargetPath(entry);
        string shared = identity.SharedPath(path, entry);
        int owners = split.Shares[entry].Parts.Count();
        try
        {
            if (shares.Count < owners)
            {
                // A part could not write its share, and said why.
                target.DeleteFile(shared);
                return;
            }

            Verify(entry, path, shared, shares);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            Refuse(entry, failure);
        }
    }

    /// <summary>
    /// Puts the files at their paths, when all are verified: if a part must be restored again, the
    /// blocks of the other parts must still be where they were written.
    /// </summary>
    public void PutInPlace()
    {
        foreach ((EntryId entry, string place, bool isWhole, bool isVerified) in ready)
        {
            try
            {
                string path = plan.Pass.Entries.TargetPath(entry);
                if (place == identity.SharedPath(path, entry))
                {
                    Put(entry, place, path, isVerified);
                }

                if (isVerified)
                {
                    FilesRestored++;
                    BytesRestored += content.SizeOf(entry);
                    context.Results?.Report(entry, EntryResultKind.Restored);
                }
                else if (isWhole)
                {
                    Issues.Add(ReportBuilder.Unverified(plan, entry));
                }

                BytesOfHoles += HolesOf(entry);
            }
            catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
            {
                Refuse(entry, failure);
            }
        }
    }

    private void Refuse(EntryId entry, Exception failure) =>
        Issues.Add(plan.IssueOf(entry, IssueKind.Refused, failure.Reason()) with { Code = failure.ToIssueCode() });

    private void Verify(EntryId entry, string path, string shared, IReadOnlyList<DeferredEntry> shares)
    {
        bool isWhole = !shares.Any(share => share.LacksContent);
        string? place = isWhole ? FindRight(entry, path) : null;
        if (place is not null)
        {
            // Put there by an earlier last step. A shard that was restored again since then left a
            // share of it.
            target.DeleteFile(shared);
        }
        else if (target.Inspect(shared).Kind == TargetKind.File)
        {
            place = shared;
        }
        else if (!shares.Any(share => share.IsStarted))
        {
            // Either nothing of it arrived, or it has nothing but zeros.
            place = isWhole ? shared : null;
        }
        else if (isWhole || target.Inspect(path).Kind == TargetKind.Nothing)
        {
            throw new ShardsWrongException(
                [.. split.Shares[entry].PartOfItem.Select(part => part + 1).Distinct()],
                content.PathText(entry)
            );
        }

        if (place is null)
        {
            MarkGone(entry, shares);
            return;
        }

        // An earlier last step may have made it read-only.
        TargetOpenMode mode =
            target.Inspect(place).Kind == TargetKind.Nothing ? TargetOpenMode.Share : TargetOpenMode.Patch;
        using ITargetFile file = target.OpenFile(place, mode);
        ready.Add((entry, place, isWhole, Verify(entry, file, isWhole, shares)));
    }

    private void MarkGone(EntryId entry, IReadOnlyList<DeferredEntry> shares)
    {
        if (!shares.Any(share => share.IsStarted))
        {
            Gone.Add(content.PathText(entry));
        }
    }

    /// <summary>
    /// A file with all blocks, if it is at its own path already, or beside a file of the user's.
    /// </summary>
    private string? FindRight(EntryId entry, string path)
    {
        foreach (string place in renaming.Candidates(path).Prepend(path))
        {
            TargetStatus status = target.Inspect(place);
            if (status.Kind == TargetKind.Nothing)
            {
                break;
            }

            if (status.Kind == TargetKind.File && status.SizeBytes == content.SizeOf(entry))
            {
                using ITargetFile file = target.OpenFile(place, TargetOpenMode.Read);
                if (!WrongItems(entry, file).Any())
                {
                    return place;
                }
            }
        }

        return null;
    }

    private bool Verify(EntryId entry, ITargetFile file, bool isWhole, IReadOnlyList<DeferredEntry> shares)
    {
        long size = content.SizeOf(entry);
        if (file.Length != size)
        {
            file.SetLength(size);
        }

        if (VerifiesAfter)
        {
            file.Flush();
            file.DropCache();
        }

        using FileHasher hasher = new(content.Layout.FileHash, context.Pool);
        bool isVerified = isWhole && hasher.Matches(file, content, content.Entries[entry].Content);
        if (!isVerified)
        {
            RequireBlocks(entry, file, shares.Count(share => share.LacksContent));
        }

        EntryMetadata? metadata = shares.Select(share => share.Metadata).FirstOrDefault(found => found is not null);
        foreach (string problem in metadata?.Unusable ?? [])
        {
            Issues.Add(plan.IssueOf(entry, IssueKind.Metadata, problem) with { MetadataLost = true });
        }

        Issues.AddRange(
            context
                .Apply(entry, metadata, isVerified, () => file)
                .Select(problem =>
                    plan.IssueOf(entry, IssueKind.Metadata, problem) with
                    {
                        Code = UnappliedMetadata.CodeOf(problem),
                    }
                )
        );
        return isVerified;
    }

    /// <summary>
    /// Checks a wrong file. By the records, all of its blocks but the lost ones were written:
    /// either the list is wrong, or some blocks are missing.
    /// </summary>
    private void RequireBlocks(EntryId entry, ITargetFile file, int lacking)
    {
        IReadOnlyList<ByteRange>[] known = [.. lost[content.PathText(entry)]];
        if (known.Length < lacking)
        {
            // Reports have a limit: what a part lost is not known in detail.
            return;
        }

        SortedSet<int> wrong =
        [
            .. WrongItems(entry, file)
                .Where(item => !IsLost(entry, item, known))
                .Select(item => split.PartOf(entry, item) + 1),
        ];
        if (wrong.Count > 0)
        {
            throw new ShardsWrongException(wrong, content.PathText(entry));
        }
    }

    private bool IsLost(EntryId entry, Item item, IReadOnlyList<ByteRange>[] known)
    {
        long from = (long)item.Index * content.Layout.BlockSizeBytes;
        long to = from + content.Layout.BlockLength(content.SizeOf(entry), item.Index);
        return Array.Exists(known, ranges => ranges.Any(range => range.From < to && range.To > from));
    }

    /// <summary>The blocks that a file does not have, one after the other.</summary>
    private IEnumerable<Item> WrongItems(EntryId entry, ITargetFile file)
    {
        using PooledBuffer buffer = context.Pool.Rent(
            TargetComparison.PieceBytes(content, content.Entries[entry].Content)
        );
        for (int index = 0; index < plan.Pass.ItemsOf(entry).ContentItems; index++)
        {
            Item item = Item.Content(index);
            if (!TargetComparison.HasBlock(content, file, index, plan.Pass.BlockOf(entry, item), buffer.Span))
            {
                yield return item;
            }
        }
    }

    private void Put(EntryId entry, string shared, string path, bool isVerified)
    {
        bool replaces = isVerified && plan.Pass.Replaces(entry, isAgain: plan.Options.Overwrite);
        string? place =
            replaces || target.Inspect(path).Kind == TargetKind.Nothing
                ? path
                : renaming.Candidates(path).FirstOrDefault(free => target.Inspect(free).Kind == TargetKind.Nothing);
        target.Rename(shared, place ?? shared, plan.Options.RestorePermissions);
        if (place != path)
        {
            string shown = target.Display(place ?? shared);
            Issues.Add(
                isVerified
                    ? TargetScan.Renamed(content.PathText(entry), shown)
                    : plan.IssueOf(
                        entry,
                        IssueKind.Warning,
                        $"The damaged file is at {shown}; it did not replace the one at {target.Display(path)}"
                    ) with
                    {
                        Code = IssueCode.DamagedBeside,
                    }
            );
        }
    }

    private long HolesOf(EntryId entry)
    {
        long bytes = 0;
        foreach (Item item in plan.Pass.ItemsOf(entry))
        {
            bool isHole = !item.IsMetadata && plan.Pass.SourceOf(entry, item) == ItemSource.Zeros;
            bytes += isHole ? content.Layout.BlockLength(content.SizeOf(entry), item.Index) : 0;
        }

        return bytes;
    }
}
