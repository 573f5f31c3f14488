using Restore.Volumes;

namespace Restore.Maintenance.Compacting;

/// <summary>What a block volume has, in bytes before compression.</summary>
/// <param name="Volume">The volume.</param>
/// <param name="DataBytes">Length of its blocks.</param>
/// <param name="WastedBytes">Of those, what no version needs, or another volume has too.</param>
internal readonly record struct VolumeUse(Volume Volume, long DataBytes, long WastedBytes);
