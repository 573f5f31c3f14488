using Restore.Csp;

namespace Restore.Planning.Scanning;

/// <summary>What was found at the target for a run of entries.</summary>
internal sealed class TargetScanned : IMeasured
{
    public List<ScanResult> Results { get; } = [];

    public long Bytes => 0;
}
