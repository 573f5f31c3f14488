namespace Restore.Volumes;

/// <summary>Neighboring entries of a directory.</summary>
/// <param name="LengthBytes">From the start of the first to the end of all.</param>
internal readonly record struct EntryRun(int First, int Count, long LengthBytes);
