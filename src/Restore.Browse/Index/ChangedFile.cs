namespace Restore.Browse.Index;

/// <summary>A file or link of a version that differs from the version before.</summary>
internal readonly record struct ChangedFile(TreeId Node, FileChange Change, long SizeBytes);
