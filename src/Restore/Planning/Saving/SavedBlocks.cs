namespace Restore.Planning.Saving;

/// <summary>
/// Blocks of an entry that a local file has; no path means the entry's own file at the target.
/// </summary>
internal sealed record SavedBlocks(int Entry, string? Path, bool IsOriginal, int Count, ulong[] Words);
