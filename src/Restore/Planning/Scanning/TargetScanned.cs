using Restore.Csp;

namespace Restore.Planning.Scanning;

/// <summary>The results of the scan for a batch of entries.</summary>
internal sealed class TargetScanned : IMeasured
{
    public List<ScanResult> Results { get; } = [];

    public long Bytes => 0;
}
