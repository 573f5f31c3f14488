namespace Restore.Trees;

/// <summary>
/// An entry that differs between two versions, or between a version and a folder.
/// </summary>
/// <param name="Path">Its original path. For an entry that only a folder has: its path there,
/// relative to the folder.</param>
/// <param name="Change">How it differs.</param>
/// <param name="Older">Its state in the older version, or in the version that a folder is compared
/// with; null if it is not there.</param>
/// <param name="Newer">Its state in the newer version, or in the folder; null if it is not there,
/// or cannot be read in the folder.</param>
public sealed record EntryDifference(string Path, EntryChange Change, EntryState? Older, EntryState? Newer);
