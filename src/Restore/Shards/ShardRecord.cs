using System.Text.Json.Serialization;
using Restore.Restoring;

namespace Restore.Shards;

/// <summary>What the restore of a part of a split plan leaves beside the plan: what happened, and what the last step has to finish.</summary>
internal sealed record ShardRecord
{
    public required string Plan { get; init; }

    /// <summary>The number of the part, from 1 on.</summary>
    public required int Shard { get; init; }

    public required int Shards { get; init; }

    /// <summary>What the program that restored the part made of the plan: another version might split it in another way.</summary>
    public required string Split { get; init; }

    /// <summary>The name of the machine, for people.</summary>
    public required string Machine { get; init; }

    /// <summary>Why the part failed; null if it did not.</summary>
    public string? Failure { get; init; }

    /// <summary>The report of the part; null if it failed.</summary>
    public RestoreReport? Report { get; init; }

    /// <summary>Folders and links of the part, with their metadata, and its shares of files.</summary>
    public IReadOnlyList<DeferredEntry> Deferred { get; init; } = [];

    /// <summary>Volumes that lacked expected blocks, and these blocks.</summary>
    public IReadOnlyList<MissedBlocks> Missed { get; init; } = [];

    /// <summary>The attributes that were not set.</summary>
    public IReadOnlyList<LeftOutAttribute> LeftOut { get; init; } = [];

    /// <summary>The times of its files at the target, see <see cref="RestoredFiles"/>.</summary>
    public byte[] Files { get; init; } = [];

    public static ShardRecord Of(ShardRecord head, PartResult result, byte[] files) => head with
    {
        Files = files,
        Report = result.Report,
        Deferred = [.. result.Deferred.Select(DeferredEntry.Of)],
        Missed = [.. result.Missed.Select(volume => new MissedBlocks(volume.Key, [.. volume.Select(block => block.Value)]))],
        LeftOut = [.. result.LeftOut.ToList().Select(attribute => new LeftOutAttribute(attribute.Name, attribute.First, attribute.Count))],
    };
}

/// <summary>A folder, link or share of a file that the last step finishes.</summary>
internal sealed record DeferredEntry(int Entry, bool IsRestored, bool IsShare, bool IsStarted, bool LacksContent, EntryMetadata? Metadata)
{
    public static DeferredEntry Of(FileOutcome outcome) =>
        new(outcome.Entry, outcome.Kind == OutcomeKind.Restored, outcome.IsShare, outcome.IsStarted, outcome.LacksContent, outcome.Metadata);

    public FileOutcome ToOutcome() => new(new Catalog.EntryId(Entry), IsRestored ? OutcomeKind.Restored : OutcomeKind.Incomplete)
    {
        IsShare = IsShare,
        IsStarted = IsStarted,
        Metadata = Metadata,
        HasMetadata = Metadata is not null,
    };
}

internal sealed record MissedBlocks(string Volume, int[] Blocks);

/// <summary>An attribute that was not set, the first entry that has it, and how many have it.</summary>
internal sealed record LeftOutAttribute(string Name, int First, long Count);

[JsonSerializable(typeof(ShardRecord))]
[JsonSourceGenerationOptions(UseStringEnumConverter = true, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingDefault)]
internal sealed partial class ShardRecordContext : JsonSerializerContext;
