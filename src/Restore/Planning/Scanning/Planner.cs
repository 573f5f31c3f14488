using Restore.Csp;

namespace Restore.Planning.Scanning;

/// <summary>Takes over what was found at the target: the decisions from which the plan is made.</summary>
internal sealed class Planner(Action<ScanResult> take)
{
    public async Task RunAsync(IReadChannelEnd<TargetScanned> input)
    {
        await foreach (TargetScanned scanned in input.ReadAllAsync().ConfigureAwait(false))
        {
            scanned.Results.ForEach(take);
        }
    }
}
