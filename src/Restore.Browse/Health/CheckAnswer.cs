namespace Restore.Browse.Health;

internal sealed record CheckAnswer(
    int Versions,
    int IndexVolumes,
    long Blocks,
    long LostBlocks,
    LossTotals Losses,
    IReadOnlyList<VolumeAnswer> Volumes,
    int IssueCount,
    IReadOnlyList<string> Issues
);
