using Microsoft.Extensions.Logging;
using Restore.Catalog;
using Restore.Memory;
using Restore.Planning;
using Restore.Restoring.Legacy;
using Restore.Volumes;

namespace Restore.Restoring;

/// <summary>Carries a plan out: pass after pass while blocks are missing that may be found elsewhere, then links and folders, then the report.</summary>
internal sealed class RestoreRun(PreparedRestore prepared)
{
    private readonly EntryStates states = new(prepared.Entries.Count);
    private readonly List<PassResult> passes = [];
    private Locations locations = prepared.FirstPass.Locations;
    private readonly Dictionary<BlockId, List<string>> triedVolumes = [];

    private ILogger Logger => prepared.Session.Logger;

    public async Task<RunResult> RunAsync(CancellationToken stopToken, CancellationToken cancellationToken)
    {
        using IRestoreTarget target = RestoreSession.OpenTarget(prepared.Options);
        using IRestoreTarget? originalPlaces = RestoreSession.OpenOriginalPlaces(prepared.Options);
        PassPlan? pass = prepared.FirstPass;
        (long files, long bytes) = prepared.CountToWrite();
        prepared.Progress.Begin(RestorePhase.Restoring, files, bytes, pass.Demand.Volumes.Count);
        while (pass is not null)
        {
            Log.PassBegins(Logger, passes.Count + 1, pass.Demand.Volumes.Count);
            FileContext context = new(pass, target, originalPlaces, prepared.Options, states, prepared.Session.Pool);
            PassResult result = await RestoreTelemetry.WatchAsync("Pass", _ => RunAsync(context, stopToken, cancellationToken)).ConfigureAwait(false);
            stopToken.ThrowIfCancellationRequested();
            passes.Add(result);
            Log.PassEnded(Logger, passes.Count, result.FilesRestored, result.MissingBlocks.Count);
            pass = await PlanNextAsync(pass, result, cancellationToken).ConfigureAwait(false);
        }

        prepared.Progress.Begin(RestorePhase.Finishing);
        Finishing finishing = new(prepared, target, states);
        finishing.Finish(passes.SelectMany(result => result.Deferred), cancellationToken);
        return new RunResult(passes, finishing, triedVolumes, states, locations);
    }

    private Task<PassResult> RunAsync(FileContext context, CancellationToken stopToken, CancellationToken cancellationToken) => prepared.Options.Legacy
        ? new SequentialFlow(context, prepared.Session.Loader, prepared.Progress).RunAsync(stopToken, cancellationToken)
        : prepared.Network.RestoreAsync(context, prepared.Progress, stopToken, cancellationToken);

    /// <summary>Looks for the blocks that were not where they should have been, or were not what they should be.</summary>
    /// <returns>A plan over what is still missing and was found elsewhere, or null when nothing was.</returns>
    private async Task<PassPlan?> PlanNextAsync(PassPlan last, PassResult result, CancellationToken cancellationToken)
    {
        if (result.MissingBlocks.Count == 0)
        {
            return null;
        }

        HashSet<BlockId> missing = result.MissingBlocks;
        SetInPlace(last, result.Incomplete, missing);
        foreach (BlockId block in missing)
        {
            NoteTried(block);
            prepared.Needs.GiveUpVolume(block);
        }

        await prepared.Locator.LocateAsync((_, _) => { }, cancellationToken).ConfigureAwait(false);
        locations = prepared.Needs.Locations.Freeze(prepared.Content.Blocks.Count);
        int found = missing.Count(block => !locations.VolumeOf(block).IsNone);
        Log.SecondCopies(Logger, found, missing.Count);
        if (found == 0)
        {
            return null;
        }

        byte[] parts = new byte[last.Parts.Length];
        foreach (FileOutcome outcome in result.Incomplete)
        {
            parts[outcome.Entry] = last.Parts[outcome.Entry];
            if (outcome.HasMetadata && (outcome.IsStarted || outcome.Metadata is not null))
            {
                parts[outcome.Entry] &= unchecked((byte)~PassPlan.MetadataPart);
            }
        }

        return new PassPlan(prepared.Entries, parts, locations, prepared.Session.Volumes.All, last.LeavesBlocksToFiles);
    }

    private void NoteTried(BlockId block)
    {
        VolumeId volume = locations.VolumeOf(block);
        if (!volume.IsNone)
        {
            List<string> tried = triedVolumes.TryGetValue(block, out List<string>? known) ? known : triedVolumes[block] = [];
            tried.Add(prepared.Session.Volumes.All[volume].FileName);
        }
    }

    /// <summary>What a pass wrote of an incomplete file is in place for the next.</summary>
    private void SetInPlace(PassPlan pass, List<FileOutcome> incomplete, HashSet<BlockId> missing)
    {
        foreach (FileOutcome outcome in incomplete.Where(outcome => outcome.IsStarted))
        {
            int items = pass.ContentItems(outcome.Entry);
            BitSet inPlace = new(items);
            for (int item = 0; item < items; item++)
            {
                BlockId block = pass.BlockOf(outcome.Entry, item);
                inPlace[item] = pass.SourceOf(outcome.Entry, item) != ItemSource.Nowhere && !missing.Contains(block);
            }

            prepared.Entries.SetInPlace(outcome.Entry, inPlace);
        }
    }
}

/// <summary>What a run brought, for the report.</summary>
internal sealed record RunResult(
    IReadOnlyList<PassResult> Passes, Finishing Finishing, IReadOnlyDictionary<BlockId, List<string>> TriedVolumes, EntryStates States, Locations Locations);
