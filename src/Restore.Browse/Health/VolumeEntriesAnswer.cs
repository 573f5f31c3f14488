namespace Restore.Browse.Health;

/// <summary>Alone counts the entries that need a block that no other volume has.</summary>
internal sealed record VolumeEntriesAnswer(string Name, int Total, int Alone, IReadOnlyList<DependentEntry> Entries);
