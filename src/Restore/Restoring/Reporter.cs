namespace Restore.Restoring;

/// <summary>
/// Counts finished entries, reports progress, and collects what the report and phase 3 need.
/// </summary>
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
