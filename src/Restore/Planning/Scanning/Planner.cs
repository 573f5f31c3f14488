using Restore.Csp;

namespace Restore.Planning.Scanning;

/// <summary>Collects the results of the scan: the decisions from which the plan is made.</summary>
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
