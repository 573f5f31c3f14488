namespace Restore;

/// <summary>A file, folder or link of a <see cref="BackupTree"/>.</summary>
/// <param name="Parent">The number of its folder; the root is its own.</param>
/// <param name="Kind">What it is.</param>
/// <param name="SizeBytes">Length of a file's content; 0 for the others.</param>
/// <param name="LastModified">Of a file, UTC, to the second; null when the list has none.</param>
public readonly record struct TreeNode(int Parent, BackupEntryKind Kind, long SizeBytes, DateTimeOffset? LastModified);
