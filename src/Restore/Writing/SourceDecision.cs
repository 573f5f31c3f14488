namespace Restore.Writing;

/// <summary>What a backup does with an entry of its sources.</summary>
/// <param name="Path">The path as in a file list: a folder has a separator at its end.</param>
/// <param name="SizeBytes">Length of a file; 0 for a folder or link.</param>
/// <param name="IsTaken">Whether the entry is taken. Entries in a folder that is left out are not
/// looked at, unless there are only includes.</param>
/// <param name="Reason">What decides, such as a filter; null if the entry is taken because no rule
/// excludes it.</param>
public sealed record SourceDecision(string Path, long SizeBytes, bool IsTaken, string? Reason);
