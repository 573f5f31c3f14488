namespace Restore.Planning;

/// <summary>
/// Says what an entry loses: before the restore from what is known, in the report from what no pass
/// brought.
/// </summary>
/// <param name="plan">The plan; in a report, the plan of the last pass.</param>
/// <param name="isStarted">Whether a part of an entry is, or would be, at the target.</param>
/// <param name="triedVolumes">The names of the volumes in which a block was searched.</param>
internal sealed class EntryLosses(
    PassPlan plan,
    Func<EntryId, bool> isStarted,
    Func<BlockId, IEnumerable<string>> triedVolumes
)
{
    // An issue of an entry names no more volumes. All of them are in the plan.
    private const int MostUnreadNamed = 20;

    private readonly VersionContent content = plan.Content;

    /// <summary>The losses that are known before the restore.</summary>
    public static IEnumerable<RestoreIssue> Known(PassPlan plan, Func<EntryId, string> display)
    {
        EntryLosses losses = new(plan, entry => HasSomeContent(plan, entry), _ => []);
        return plan.Included().Select(entry => losses.Describe(entry, isLost: null, display)).OfType<RestoreIssue>();
    }

    /// <summary>Describes the losses of an entry; null if there are none.</summary>
    /// <param name="isLost">Whether the pass did not bring a block of this entry; null while the
    /// pass has not run.</param>
    public RestoreIssue? Describe(EntryId entry, Predicate<BlockId>? isLost, Func<EntryId, string> display)
    {
        List<Item> items = [.. plan.ItemsWithoutBytes(entry, isLost)];
        if (items.Count == 0)
        {
            return null;
        }

        List<ByteRange> ranges = RangesOf(entry, items);

        // The target of a link is in its metadata, so a link without metadata cannot be made.
        // Another part of a split plan may write the rest of a shared file, so such a file counts
        // as damaged.
        bool isLink = content.Entries[entry].Kind == EntryKind.Symlink;
        bool isGone = isLink || (ranges.Count > 0 && !isStarted(entry) && !plan.Entries.IsShared(entry));
        if (isGone && !isLink)
        {
            ranges = [new ByteRange(0, content.SizeOf(entry))];
        }

        long lostBytes = ranges.Sum(range => range.To - range.From);
        IssueKind kind =
            isGone ? IssueKind.Missing
            : ranges.Count > 0 ? IssueKind.Damaged
            : IssueKind.Metadata;
        string reason =
            kind == IssueKind.Missing && isLink ? "The target of the link is lost"
            : kind == IssueKind.Damaged && plan.Entries[entry] == EntryAction.Patch
                ? $"{lostBytes:N0} of {content.SizeOf(entry):N0} bytes are lost; the file is changed in place and keeps its old bytes there"
            : Sentence(kind, lostBytes, content.SizeOf(entry));
        return new RestoreIssue(kind, content.PathText(entry), reason)
        {
            TargetPath = display(entry),
            Versions = content.VersionsOf(entry),
            LostRanges = ranges,

            // Items are ordered, metadata last.
            MetadataLost = items[^1].IsMetadata,
            Volumes = [.. items.Select(item => plan.BlockOf(entry, item)).Distinct().SelectMany(VolumesOf).Distinct()],
        };
    }

    public static string Sentence(IssueKind kind, long lostBytes, long sizeBytes) =>
        kind switch
        {
            IssueKind.Missing => $"All of its {lostBytes:N0} bytes are lost",
            IssueKind.Damaged => $"{lostBytes:N0} of {sizeBytes:N0} bytes are lost and read as zeros",
            _ => "The content is right; its metadata (times, mode, owner, attributes) is lost",
        };

    private static bool HasSomeContent(PassPlan plan, EntryId entry)
    {
        foreach (Item item in plan.ItemsOf(entry))
        {
            if (!item.IsMetadata && plan.SourceOf(entry, item) != ItemSource.Nowhere)
            {
                return true;
            }
        }

        return false;
    }

    private IEnumerable<string> VolumesOf(BlockId block)
    {
        if (!block.IsNone)
        {
            string[] known = [.. triedVolumes(block)];
            if (plan.Locations.LostWith(block) is string absent)
            {
                return [.. known, absent];
            }

            if (known.Length > 0 || !plan.Locations.VolumeOf(block).IsNone)
            {
                return known;
            }
        }

        // A block that no readable volume has, or that only a list in such a volume names.
        return plan.Locations.Unread.Take(MostUnreadNamed);
    }

    private List<ByteRange> RangesOf(EntryId entry, List<Item> items)
    {
        List<ByteRange> ranges = [];
        int blockSize = content.Layout.BlockSizeBytes;
        long size = content.SizeOf(entry);
        foreach (Item item in items.TakeWhile(item => !item.IsMetadata))
        {
            long from = (long)item.Index * blockSize;
            long to = Math.Min(size, from + blockSize);
            if (ranges.Count > 0 && ranges[^1].To == from)
            {
                ranges[^1] = new ByteRange(ranges[^1].From, to);
            }
            else
            {
                ranges.Add(new ByteRange(from, to));
            }
        }

        return ranges;
    }
}
