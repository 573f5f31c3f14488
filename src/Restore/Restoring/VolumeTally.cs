using Restore.Reading;

namespace Restore.Restoring;

/// <summary>
/// Counts the volumes of a pass: how many are finished, their defects, and the blocks that they
/// lacked.
/// </summary>
internal sealed class VolumeTally(ProgressMeter progress)
{
    /// <summary>
    /// Blocks that their volumes did not have: every entry that needs them lacks them.
    /// </summary>
    public HashSet<BlockId> MissingBlocks { get; } = [];

    public List<RestoreIssue> Issues { get; } = [];

    /// <summary>Volumes from which nothing could be read.</summary>
    public HashSet<VolumeId> UnreadableVolumes { get; } = [];

    /// <summary>
    /// Volumes that lacked a block although they were not refused: they may have been damaged on
    /// their way.
    /// </summary>
    public HashSet<VolumeId> DoubtfulVolumes { get; } = [];

    /// <summary>The volumes that were fetched.</summary>
    public HashSet<VolumeId> Done { get; } = [];

    /// <summary>The fetched volumes from which only the needed entries were read.</summary>
    public HashSet<VolumeId> DoneInPart { get; } = [];

    public void End(WantedVolume volume, VolumeEnd end, int missingBlocks)
    {
        // Only the last part of a volume counts it as done.
        if (!volume.IsContinued)
        {
            Done.Add(volume.Volume.Id);
            if (end.IsReadInPart)
            {
                DoneInPart.Add(volume.Volume.Id);
            }

            progress.VolumeDone();
        }

        // Several parts of a volume have the same defects.
        foreach (string defect in end.Defects)
        {
            if (
                volume.PartBytes is null
                || !Issues.Exists(issue => issue.Path == volume.Volume.FileName && issue.Reason == defect)
            )
            {
                Issues.Add(new RestoreIssue(IssueKind.Warning, volume.Volume.FileName, defect) { Code = end.Code });
            }
        }

        if (missingBlocks > 0 && end.Code == IssueCode.None && !volume.Volume.IsMissing)
        {
            DoubtfulVolumes.Add(volume.Volume.Id);
        }

        if (end.Defects.Count > 0 && missingBlocks == volume.Count)
        {
            UnreadableVolumes.Add(volume.Volume.Id);
        }
    }
}
