namespace Restore.Restoring;

/// <summary>
/// Reports each entry that is finished to the caller's listener, if there is one.
/// </summary>
internal sealed class EntryResults(RestorePlan plan, IProgress<EntryResult>? listener)
{
    /// <summary>
    /// Reports the outcome of a pass. Links do not exist yet, and shared files are not whole: the
    /// end reports them.
    /// </summary>
    public void Report(FileOutcome outcome)
    {
        if (
            listener is not null
            && !outcome.IsShare
            && !plan.Pass.Content.IsAbove(outcome.Entry)
            && plan.Pass.Content.Entries[outcome.Entry].Kind != Format.EntryKind.Symlink
        )
        {
            Report(outcome.Entry, KindOf(outcome.Kind), outcome.BytesWritten, outcome.Reason.Sentence);
        }
    }

    public void Report(EntryId entry, EntryResultKind kind, long bytesWritten = 0, string? reason = null) =>
        listener?.Report(
            new EntryResult(plan.Pass.Content.PathText(entry), plan.DisplayTarget(entry), kind, bytesWritten, reason)
        );

    private static EntryResultKind KindOf(OutcomeKind kind) =>
        kind switch
        {
            OutcomeKind.Restored => EntryResultKind.Restored,
            OutcomeKind.Incomplete => EntryResultKind.Incomplete,
            OutcomeKind.Unverified => EntryResultKind.Unverified,
            _ => EntryResultKind.Failed,
        };
}
