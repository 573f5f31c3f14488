using Restore.Planning;

namespace Restore.Restoring;

/// <summary>A way to execute a plan. Every flow brings the same bytes and reports the same losses.</summary>
internal interface IFlow
{
    /// <summary>Choices that the flow made, for the profile.</summary>
    IReadOnlyList<string> Choices { get; }

    /// <summary>Executes the plan of one pass.</summary>
    /// <param name="context">The plan, the target, and the state of entries.</param>
    /// <param name="progress">Receives the progress.</param>
    /// <param name="stopToken">Ends the pass gracefully; the caller checks the token afterwards.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    Task<PassResult> RunAsync(FileContext context, ProgressMeter progress, CancellationToken stopToken, CancellationToken cancellationToken);
}
