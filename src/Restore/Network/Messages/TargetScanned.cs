using Restore.Csp;
using Restore.Planning;

namespace Restore.Network.Messages;

/// <summary>What was found at the target for a run of entries.</summary>
internal sealed class TargetScanned : IMeasured
{
    public List<ScanResult> Results { get; } = [];

    public long Bytes => 0;
}
