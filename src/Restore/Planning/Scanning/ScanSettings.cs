namespace Restore.Planning.Scanning;

/// <summary>What the look at the target takes of the tuning options, resolved and checked.</summary>
/// <param name="TargetScanners">Copies of TargetScanner.</param>
/// <param name="ChannelCapacity">Capacity of each channel, in messages.</param>
internal sealed record ScanSettings(int TargetScanners, int ChannelCapacity);
