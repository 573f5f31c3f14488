namespace Restore.Planning.Scanning;

internal sealed class TargetScanned : IMeasured
{
    public List<ScanResult> Results { get; } = [];

    public long Bytes => 0;
}
