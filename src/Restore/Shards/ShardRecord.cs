using System.Text.Json.Serialization;
using Restore.Planning.Saving;
using Restore.Restoring;

namespace Restore.Shards;

/// <summary>
/// What the restore of a part of a split plan leaves beside the plan: what happened, and what the
/// last step has to finish.
/// </summary>
internal sealed record ShardRecord
{
    public required string Plan { get; init; }

    /// <summary>The number of the part, from 1 on.</summary>
    public required int Shard { get; init; }

    public required int Shards { get; init; }

    /// <summary>
    /// The split of the plan by the program that restored the part: another version might split the
    /// plan in another way.
    /// </summary>
    public required string Split { get; init; }

    public required string Machine { get; init; }

    public string? Failure { get; init; }

    public RestoreReport? Report { get; init; }

    [JsonIgnore]
    public bool HasLosses => Report?.Issues.Any(issue => issue.IsLoss) == true;

    /// <summary>
    /// Folders and links of the part, with their metadata, and its shares of files.
    /// </summary>
    public IReadOnlyList<DeferredEntry> Deferred { get; init; } = [];

    /// <summary>Volumes that lacked expected blocks, and these blocks.</summary>
    public IReadOnlyList<MissedBlocks> Missed { get; init; } = [];

    public IReadOnlyList<LeftOutAttribute> LeftOut { get; init; } = [];

    /// <summary>The times of its files at the target, see <see cref="RestoredFiles"/>.</summary>
    public long[] Times { get; init; } = [];

    /// <summary>Files of the part that are next to another file at their path.</summary>
    public IReadOnlyList<SavedName> Places { get; init; } = [];

    public static ShardRecord Of(ShardRecord head, PartResult result, NotedFiles files) =>
        head with
        {
            Times = files.Times,
            Places = files.Places,
            Report = result.Report,
            Deferred = [.. result.Deferred.Select(DeferredEntry.Of)],
            Missed =
            [
                .. result.Missed.Select(volume => new MissedBlocks(
                    volume.Key,
                    [.. volume.Select(block => block.Value)]
                )),
            ],
            LeftOut = result.LeftOut.ToList(),
        };
}
