namespace Restore.Assessment;

/// <summary>A changed file that is to be looked into.</summary>
internal readonly record struct SampledFile(string Path, long SizeBytes);
