using Restore.Volumes;

namespace Restore.Catalog;

/// <summary>A copy of a block: the volume that has it.</summary>
internal readonly record struct Replica(BlockId Block, VolumeId Volume);

/// <summary>A copy of a block in an absent volume.</summary>
internal readonly record struct AbsentReplica(BlockId Block, string VolumeName);
