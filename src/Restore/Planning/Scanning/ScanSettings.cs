namespace Restore.Planning.Scanning;

/// <summary>The tuning options of the target scan, resolved and checked.</summary>
/// <param name="TargetScanners">Copies of TargetScanner.</param>
/// <param name="ChannelCapacity">Capacity of each channel, in messages.</param>
internal sealed record ScanSettings(int TargetScanners, int ChannelCapacity);
