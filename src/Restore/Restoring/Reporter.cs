using Restore.Reading;

namespace Restore.Restoring;

/// <summary>Counts finished entries, reports progress, and collects what the report and phase 3 need.</summary>
internal sealed class Reporter(PassPlan plan, ProgressMeter progress, PassResult result)
{
    public async Task RunAsync(IReadChannelEnd<FileFinished> input)
    {
        await foreach (FileFinished finished in input.ReadAllAsync().ConfigureAwait(false))
        {
            foreach (FileOutcome outcome in finished.Outcomes)
            {
                result.Add(outcome);
                progress.EntryDone(outcome.BytesWritten, plan.WritesFile(outcome.Entry));
            }

            progress.Report();
        }
    }
}

/// <summary>Counts the volumes of a pass: how many are finished, their defects, and the blocks that they lacked.</summary>
internal sealed class VolumeTally(ProgressMeter progress)
{
    /// <summary>Blocks that their volumes did not have: every entry that needs them lacks them.</summary>
    public HashSet<BlockId> MissingBlocks { get; } = [];

    public List<RestoreIssue> Issues { get; } = [];

    /// <summary>Volumes of which nothing could be read.</summary>
    public HashSet<VolumeId> UnreadableVolumes { get; } = [];

    public int VolumesDone { get; private set; }

    /// <summary>Of those, the volumes of which only the needed entries were read.</summary>
    public int VolumesInPart { get; private set; }

    public void End(WantedVolume volume, VolumeEnd end, int missingBlocks)
    {
        if (!volume.IsContinued)
        {
            VolumesDone++;
            VolumesInPart += end.IsReadInPart ? 1 : 0;
            progress.VolumeDone();
        }

        // Several parts of a volume have the same defects.
        foreach (string defect in end.Defects)
        {
            if (volume.PartBytes is null || !Issues.Exists(issue => issue.Path == volume.Volume.FileName && issue.Reason == defect))
            {
                Issues.Add(new RestoreIssue(IssueKind.Warning, volume.Volume.FileName, defect));
            }
        }

        if (end.Defects.Count > 0 && missingBlocks == volume.Count)
        {
            UnreadableVolumes.Add(volume.Volume.Id);
        }
    }
}
