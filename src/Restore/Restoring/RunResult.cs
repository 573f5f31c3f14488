namespace Restore.Restoring;

/// <param name="isRemote">Whether a volume can be damaged on its way: then a copy counts as lost
/// only after a second fetch.</param>
internal sealed class RunResult(RestorePlan plan, EntryStates states, bool isRemote = false)
{
    private readonly List<PassResult> passes = [];
    private readonly Dictionary<BlockId, List<string>> triedVolumes = [];

    public IReadOnlyList<PassResult> Passes => passes;

    public PassPlan LastPlan { get; private set; } = plan.Pass;

    public PassLosses Losses { get; private set; } = PassLosses.None;

    public EntryStates States { get; } = states;

    /// <summary>Defects found while blocks were searched elsewhere.</summary>
    public IssueLog Issues { get; } = new();

    /// <summary>The names of the volumes in which lost blocks were searched.</summary>
    public IEnumerable<IReadOnlyList<string>> TriedVolumes => triedVolumes.Values;

    /// <summary>By volume: the blocks that were searched in it and not found.</summary>
    public ILookup<string, BlockId> MissedBlocks() =>
        triedVolumes
            .SelectMany(tried => tried.Value, (tried, volume) => (Block: tried.Key, Volume: volume))
            .ToLookup(miss => miss.Volume, miss => miss.Block);

    /// <summary>
    /// The copies that the last pass lost for good. Copies that may have been damaged on their way
    /// stay where they are, and are fetched again; copies in unreadable volumes may be tried once
    /// more.
    /// </summary>
    public IEnumerable<Replica> FinalLosses() =>
        LostReplicas().Where(lost => !IsFetchedAgain(lost) && !MayReturn(lost));

    /// <summary>
    /// The copies that the last pass lost in an unreadable volume, and that a search may find
    /// again.
    /// </summary>
    public IEnumerable<Replica> LossesToRetry() =>
        LostReplicas().Where(lost => !IsFetchedAgain(lost) && MayReturn(lost));

    public void Add(PassPlan pass, PassResult result)
    {
        passes.Add(result);
        LastPlan = pass;

        // A pass takes up only what the pass before lost, so its losses replace the earlier ones.
        Losses = result.ToLosses();
        foreach ((BlockId block, List<string> tried) in triedVolumes)
        {
            // A volume that was damaged on its way has the block after all.
            if (!Losses.Blocks.Contains(block) && pass.Locations.VolumeOf(block) is { IsNone: false } healed)
            {
                tried.Remove(pass.Volumes[healed].FileName);
            }
        }

        foreach (BlockId block in Losses.Blocks)
        {
            if (pass.Locations.VolumeOf(block) is { IsNone: false } volume)
            {
                List<string> tried = triedVolumes.TryGetValue(block, out List<string>? known)
                    ? known
                    : triedVolumes[block] = [];
                string name = pass.Volumes[volume].FileName;
                if (!tried.Contains(name))
                {
                    tried.Add(name);
                }
            }
        }
    }

    private IEnumerable<Replica> LostReplicas() =>
        Losses
            .Blocks.Select(block => new Replica(block, LastPlan.Locations.VolumeOf(block)))
            .Where(replica => !replica.Volume.IsNone);

    private bool IsFetchedAgain(Replica lost) =>
        isRemote && passes.Count == 1 && Losses.DoubtfulVolumes.Contains(lost.Volume);

    private bool MayReturn(Replica lost) => passes.Count == 1 && Losses.UnreadableVolumes.Contains(lost.Volume);

    public IReadOnlyList<string> TriedVolumesOf(BlockId block) => triedVolumes.GetValueOrDefault(block) ?? [];
}
