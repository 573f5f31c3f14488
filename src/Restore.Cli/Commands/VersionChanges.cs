using System.IO.Hashing;

namespace Restore.Cli.Commands;

/// <summary>
/// The files of a version, and how it differs from the one before it; that is null where the list
/// of either cannot be read.
/// </summary>
internal sealed record VersionChanges(long Files, long Bytes, long? Added, long? Changed, long? Removed)
{
    /// <summary>Why the list cannot be read, or is incomplete; null if it was read whole.</summary>
    public string? Problem { get; init; }

    /// <summary>Whether a part of the list was read all the same.</summary>
    public bool IsPart { get; init; }

    /// <summary>How much there is, or why that is not known.</summary>
    public string Size
    {
        get
        {
            if (Problem is not null && !IsPart)
            {
                return $"its list cannot be read: {SafeText.Escape(Problem)}";
            }

            var size = $"{Units.Count(Files, "file"), 14} {Units.Bytes(Bytes), 12}";
            return size + (IsPart ? $"  (incomplete: {SafeText.Escape(Problem!)})" : "");
        }
    }

    /// <summary>What changed, the longest form first; empty if it is not known.</summary>
    public string[] Differences =>
        Added is not { } added || Changed is not { } changed || Removed is not { } removed
            ? []
            :
            [
                $"  {Units.Number(added)} added, {Units.Number(changed)} changed, {Units.Number(removed)} removed",
                $"  +{Units.Number(added)} ~{Units.Number(changed)} -{Units.Number(removed)}",
            ];

    public JsonObject Json
    {
        get
        {
            JsonObject json = Problem is null ? [] : new() { ["problem"] = Problem };
            return Problem is not null && !IsPart
                ? json
                : json.With(
                    new()
                    {
                        ["files"] = Files,
                        ["bytes"] = Bytes,
                        ["filesAdded"] = Added,
                        ["filesChanged"] = Changed,
                        ["filesRemoved"] = Removed,
                    }
                );
        }
    }

    /// <summary>
    /// Reads all lists. What is wrong with one is said in its place: the others may be sound.
    /// </summary>
    /// <exception cref="RestoreException">The passphrase is wrong or missing, or the store is
    /// lost.</exception>
    public static async Task<IReadOnlyList<VersionChanges>> ReadAsync(
        Backup backup,
        CancellationToken cancellationToken
    )
    {
        var changes = new VersionChanges[backup.Versions.Count];

        // From the oldest version to the newest, so that only a list and the one before it are in
        // memory. Digests stand for paths and hashes: a file takes 32 bytes, no matter how long its
        // path is.
        Dictionary<UInt128, UInt128>? before = null;
        foreach (var version in backup.Versions.Reverse())
        {
            Dictionary<UInt128, UInt128> files = [];
            long bytes = 0;
            string? problem = null;
            try
            {
                await backup.ReadListAsync(
                    version,
                    entry =>
                    {
                        if (entry.Kind == BackupEntryKind.File && files.TryAdd(Digest(entry.Path), Digest(entry.Hash)))
                        {
                            bytes += entry.SizeBytes;
                        }
                    },
                    cancellationToken
                );
            }
            catch (RestoreException failure) when (failure.Code == RestoreErrorCode.FileListIncomplete)
            {
                problem = failure.What;
                before = null;
            }
            catch (RestoreException failure) when (IsOfOneList(failure))
            {
                changes[version.Index] = new VersionChanges(0, 0, null, null, null)
                {
                    Problem = failure.InnerException?.Message ?? failure.Message,
                };
                before = null;
                continue;
            }

            var known = before is null ? 0 : files.Keys.Count(before.ContainsKey);
            changes[version.Index] = before is null
                ? new VersionChanges(files.Count, bytes, null, null, null)
                {
                    Problem = problem,
                    IsPart = problem is not null,
                }
                : new VersionChanges(
                    files.Count,
                    bytes,
                    files.Count - known,
                    files.Count(file => before.TryGetValue(file.Key, out var hash) && hash != file.Value),
                    before.Count - known
                );
            before = problem is null ? files : null;
        }

        return changes;
    }

    private static bool IsOfOneList(RestoreException failure) =>
        failure.Kind == RestoreErrorKind.Failed
        && failure.Code is not (RestoreErrorCode.StoreLost or RestoreErrorCode.StoreUnreachable);

    private static UInt128 Digest(ReadOnlySpan<byte> bytes) => XxHash128.HashToUInt128(bytes);
}
