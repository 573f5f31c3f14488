using Restore.Restoring;

namespace Restore.Shards;

/// <summary>A folder, link or share of a file that the last step finishes.</summary>
internal sealed record DeferredEntry(
    int Entry,
    bool IsRestored,
    bool IsShare,
    bool IsStarted,
    bool LacksContent,
    EntryMetadata? Metadata
)
{
    public static DeferredEntry Of(FileOutcome outcome) =>
        new(
            outcome.Entry,
            outcome.Kind == OutcomeKind.Restored,
            outcome.IsShare,
            outcome.IsStarted,
            outcome.LacksContent,
            outcome.Metadata
        );

    public FileOutcome ToOutcome() =>
        new(new Catalog.EntryId(Entry), IsRestored ? OutcomeKind.Restored : OutcomeKind.Incomplete)
        {
            IsShare = IsShare,
            IsStarted = IsStarted,
            Metadata = Metadata,
            HasMetadata = Metadata is not null,
        };
}
