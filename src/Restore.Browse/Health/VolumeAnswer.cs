namespace Restore.Browse.Health;

/// <summary>
/// Losses counts the entries that a restore or a drill of this session lost with it.
/// </summary>
internal sealed record VolumeAnswer(string Name, long Bytes, VolumeState State, long Losses);
