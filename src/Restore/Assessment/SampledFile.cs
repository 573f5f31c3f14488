namespace Restore.Assessment;

/// <summary>A changed file that is to be looked into.</summary>
internal readonly record struct SampledFile(int Row, string Path, long SizeBytes);
