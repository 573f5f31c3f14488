using Restore.Browse.Health;

namespace Restore.Browse.Assessing;

/// <summary>The verdicts about the versions.</summary>
internal sealed class AssessmentApi(BrowseSession session)
{
    public IEnumerable<Route<BrowseCall>> Routes() =>
        [new("GET", "api/assessment", WriteAsync), new("POST", "api/assessment/start", StartAsync)];

    private Task StartAsync(BrowseCall call)
    {
        session.Verdicts.Start();
        return WriteAsync(call);
    }

    private async Task WriteAsync(BrowseCall call)
    {
        Task<BackupAssessment>? made = session.Verdicts.Assessment;
        CheckState state = CheckStates.Of(made);
        BackupAssessment? done = state == CheckState.Done ? await made!.ConfigureAwait(false) : null;
        AssessmentAnswer answer = new(
            state,
            made?.Exception?.InnerException?.Message,
            [.. (done?.Versions ?? []).Select(one => new VerdictAnswer(one.Index, one.Verdict, one.Reasons))],
            done?.Recommended,
            done?.Advice ?? "",
            done?.Examined ?? "",
            session.Targets.CanTakeLastGood
        );
        await call.WriteAsync(answer, WebJson.Default.AssessmentAnswer).ConfigureAwait(false);
    }
}
