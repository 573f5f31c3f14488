using Restore.Volumes;

namespace Restore.Catalog;

/// <summary>A copy of a block: the volume that is said to have it.</summary>
internal readonly record struct Replica(BlockId Block, VolumeId Volume);

/// <summary>A copy of a block in a volume that is not there.</summary>
internal readonly record struct AbsentReplica(BlockId Block, string VolumeName);
