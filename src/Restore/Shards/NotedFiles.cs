using Restore.Planning.Saving;

namespace Restore.Shards;

/// <summary>
/// The times of the files of a part, and the paths of the files that are not at their own paths.
/// </summary>
internal sealed record NotedFiles(long[] Times, IReadOnlyList<SavedName> Places);
