using Restore.Catalog;
using Restore.Reading.Messages;
using Restore.Volumes;

namespace Restore.Restoring;

/// <summary>The account of the volumes of a pass: how many have been through, what was wrong with them, and which blocks they did not have.</summary>
internal sealed class VolumeTally(ProgressMeter progress)
{
    /// <summary>The blocks that their volumes did not have.</summary>
    public List<BlockId> MissingBlocks { get; } = [];

    /// <summary>What was wrong with volumes.</summary>
    public List<RestoreIssue> Issues { get; } = [];

    /// <summary>Volumes of which nothing came.</summary>
    public List<VolumeId> UnreadableVolumes { get; } = [];

    /// <summary>Volumes that have been through.</summary>
    public int VolumesDone { get; private set; }

    /// <summary>Of those, the ones of which only the wanted entries were read.</summary>
    public int VolumesInPart { get; private set; }

    /// <summary>Notes that the volume of a block did not have it.</summary>
    public void Miss(BlockId block) => MissingBlocks.Add(block);

    /// <summary>Counts a volume that has been through.</summary>
    public void End(WantedVolume volume, VolumeEnd end, int missingBlocks)
    {
        VolumesDone++;
        VolumesInPart += end.IsReadInPart ? 1 : 0;
        progress.VolumeDone();
        Issues.AddRange(end.Defects.Select(defect => new RestoreIssue(IssueKind.Warning, volume.Volume.FileName, defect)));
        if (end.Defects.Count > 0 && missingBlocks == volume.Count)
        {
            UnreadableVolumes.Add(volume.Volume.Id);
        }
    }

    /// <summary>Adds the account to the result of the pass.</summary>
    public void AddTo(PassResult result)
    {
        result.MissingBlocks.UnionWith(MissingBlocks);
        result.UnreadableVolumes.UnionWith(UnreadableVolumes);
        result.Issues.AddRange(Issues);
        result.VolumesFetched = VolumesDone;
        result.VolumesReadInPart = VolumesInPart;
    }
}
