namespace Restore.Catalog;

internal readonly record struct AbsentReplica(BlockId Block, string VolumeName);
