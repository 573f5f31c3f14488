namespace Restore.Tests.Assessment;

/// <summary>A file of a made history: a number stands for its content.</summary>
internal readonly record struct MadeFile(ulong Content, long SizeBytes, long TimeTicks);
