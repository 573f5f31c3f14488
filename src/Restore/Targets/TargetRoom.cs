namespace Restore.Targets;

/// <summary>The room on a file system of the target.</summary>
/// <param name="FreeBytes">Bytes that can still be written; <see cref="long.MaxValue"/> if that is
/// unknown or nothing is written.</param>
/// <param name="TotalBytes">Its size; <see cref="long.MaxValue"/> if that is unknown.</param>
internal readonly record struct TargetRoom(long FreeBytes, long TotalBytes)
{
    public static TargetRoom Unknown => new(long.MaxValue, long.MaxValue);
}
