using Restore.Catalog;
using Restore.Format;
using Restore.Planning;

namespace Restore.Restoring;

/// <summary>Turns what a run brought into the report: counts, and for each entry that fell short what is lost and why.</summary>
internal sealed class ReportBuilder(PreparedRestore prepared, RunResult run)
{
    private readonly VersionContent content = prepared.Content;
    private readonly Func<EntryId, string> display = entry => prepared.Display(entry);

    public RestoreReport Build(TimeSpan elapsed, long bytesFetched)
    {
        long unchanged = 0;
        long unchangedBytes = 0;
        foreach (EntryId entry in prepared.UnchangedFiles())
        {
            unchanged++;
            unchangedBytes += prepared.Content.SizeOf(entry);
        }

        PassResult[] passes = [.. run.Passes];
        long reused = passes.Sum(pass => pass.BytesCopied) + unchangedBytes + prepared.BytesInPlaceAtFirst;
        return new RestoreReport
        {
            Version = prepared.Version,
            Target = prepared.Options.Target,
            VerifyOnly = prepared.Options.VerifyOnly,
            FilesRestored = passes.Sum(pass => pass.FilesRestored),
            FilesUnchanged = unchanged,
            FoldersRestored = run.Finishing.Folders,
            SymlinksRestored = run.Finishing.Symlinks,
            BytesRestored = passes.Sum(pass => pass.BytesRestored),
            BytesReused = reused,
            BytesWritten = passes.Sum(pass => pass.BytesWritten),
            BytesFetched = bytesFetched,
            VolumesFetched = passes.Sum(pass => pass.VolumesFetched),
            VolumesReadInPart = passes.Sum(pass => pass.VolumesReadInPart),
            Elapsed = elapsed,
            Issues = [.. CollectIssues().OrderBy(issue => issue.Kind).ThenBy(issue => issue.Path, StringComparer.Ordinal)],
            Profile = MergeProfiles(passes),
            Phases = prepared.Progress.Phases,
            Choices = prepared.Choices(passes.Max(pass => pass.PeakStoreBytes)),
        };
    }

    private static ProcessProfile[] MergeProfiles(PassResult[] passes) =>
        [.. passes.SelectMany(pass => pass.Profile).GroupBy(row => row.Process).Select(rows => new ProcessProfile(
            rows.Key,
            rows.Max(row => row.Copies),
            rows.Sum(row => row.Messages),
            rows.Sum(row => row.Bytes),
            new TimeSpan(rows.Sum(row => row.Reading.Ticks)),
            new TimeSpan(rows.Sum(row => row.Working.Ticks)),
            new TimeSpan(rows.Sum(row => row.Writing.Ticks))))];

    private IEnumerable<RestoreIssue> CollectIssues()
    {
        IEnumerable<FileOutcome> incomplete = run.Passes.Count == 0 ? [] : LastWordOn(run.Passes.SelectMany(pass => pass.Incomplete));
        IEnumerable<FileOutcome> bad = run.Passes.SelectMany(pass => pass.Bad);
        return prepared.Issues
            .Concat(run.Passes.SelectMany(pass => pass.Issues).Distinct())
            .Concat(incomplete.Select(Incomplete))
            .Concat(bad.Select(Bad))
            .Concat(run.Passes.SelectMany(pass => pass.MetadataProblems).SelectMany(MetadataProblems))
            .Concat(run.Finishing.Issues)
            .Concat(MissedBlocks());
    }

    /// <summary>Volumes that did not have what they should, and of which nothing else is told.</summary>
    private IEnumerable<RestoreIssue> MissedBlocks()
    {
        HashSet<string> told = [.. prepared.Issues.Concat(run.Passes.SelectMany(pass => pass.Issues)).Select(issue => issue.Path)];
        return run.TriedVolumes.Values.SelectMany(names => names).GroupBy(name => name).Where(name => !told.Contains(name.Key)).Select(name => new RestoreIssue(
            IssueKind.Warning,
            name.Key,
            $"Needed blocks that should be in it are missing or damaged ({name.Count():N0} in all); they were looked for in other volumes"));
    }

    /// <summary>An entry that was incomplete in one pass may have been finished by a later one.</summary>
    private IEnumerable<FileOutcome> LastWordOn(IEnumerable<FileOutcome> outcomes) =>
        outcomes.GroupBy(outcome => outcome.Entry).Select(group => group.Last()).Where(outcome => IsStillShort(outcome.Entry));

    private bool IsStillShort(EntryId entry) => LostContent(entry).Count > 0 || IsMetadataLost(entry);

    private RestoreIssue Incomplete(FileOutcome outcome)
    {
        EntryId entry = outcome.Entry;
        List<ByteRange> lost = LostContent(entry);
        bool metadataLost = IsMetadataLost(entry);
        long lostBytes = lost.Sum(range => range.To - range.From);
        bool isGone = content.Entries[entry].Kind == EntryKind.Symlink || (lost.Count > 0 && !run.States.IsStarted(entry));
        IssueKind kind = isGone ? IssueKind.Missing : lost.Count > 0 ? IssueKind.Damaged : IssueKind.Metadata;
        string reason = kind switch
        {
            IssueKind.Missing when content.Entries[entry].Kind == EntryKind.Symlink => "What the link points to is lost",
            IssueKind.Missing => $"All of its {lostBytes:N0} bytes are lost",
            IssueKind.Damaged => $"{lostBytes:N0} of {prepared.Content.SizeOf(entry):N0} bytes are lost and read as zeros",
            _ => "The content is right; its metadata (times, mode, owner, attributes) is lost",
        };
        return new RestoreIssue(kind, content.PathText(entry), reason)
        {
            TargetPath = display(entry),
            LostRanges = lost,
            MetadataLost = metadataLost,
            Volumes = [.. LostBlocks(entry).SelectMany(VolumesOf).Distinct()],
        };
    }

    private IEnumerable<string> VolumesOf(BlockId block)
    {
        IEnumerable<string> tried = run.TriedVolumes.GetValueOrDefault(block) ?? [];
        return run.Locations.LostWith(block) is string absent ? tried.Append(absent) : tried;
    }

    private RestoreIssue Bad(FileOutcome outcome) => outcome.Kind == OutcomeKind.Unverified
        ? new RestoreIssue(
            IssueKind.Damaged,
            content.PathText(outcome.Entry),
            "Each block is right, but the whole does not have the hash that the file list records for it: the list is wrong, or the order of the blocks")
        {
            TargetPath = display(outcome.Entry),
            Unverified = true,
        }
        : new RestoreIssue(IssueKind.Refused, content.PathText(outcome.Entry), outcome.Reason.Sentence)
        {
            Code = outcome.Reason.Code,
            TargetPath = display(outcome.Entry),
        };

    private IEnumerable<RestoreIssue> MetadataProblems(FileOutcome outcome) =>
        outcome.MetadataProblems.Select(
            problem => new RestoreIssue(IssueKind.Metadata, content.PathText(outcome.Entry), problem) { TargetPath = display(outcome.Entry) });

    private bool IsMetadataLost(EntryId entry) =>
        prepared.FirstPass.BringsMetadata(entry) && ItemsWithoutBytes(entry).Any(item => item >= prepared.FirstPass.ContentItems(entry));

    private List<ByteRange> LostContent(EntryId entry)
    {
        List<ByteRange> ranges = [];
        int blockSize = content.Layout.BlockSizeBytes;
        long size = prepared.Content.SizeOf(entry);
        foreach (int item in ItemsWithoutBytes(entry).TakeWhile(item => item < prepared.FirstPass.ContentItems(entry)))
        {
            long from = (long)item * blockSize;
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

    private IEnumerable<BlockId> LostBlocks(EntryId entry) =>
        ItemsWithoutBytes(entry).Select(item => prepared.FirstPass.BlockOf(entry, item)).Where(block => block >= 0).Distinct();

    /// <summary>The items of an entry that no pass could bring: their block is not known, or has no volume left to take it from.</summary>
    private IEnumerable<int> ItemsWithoutBytes(EntryId entry)
    {
        int items = prepared.FirstPass.Items(entry);
        for (int item = 0; item < items; item++)
        {
            if (prepared.FirstPass.SourceOf(entry, item, run.Locations) == ItemSource.Nowhere)
            {
                yield return item;
            }
        }
    }
}
