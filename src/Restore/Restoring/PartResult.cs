namespace Restore.Restoring;

/// <summary>The result of a run, with what a part of a split plan leaves to the end.</summary>
/// <param name="Report">The report.</param>
/// <param name="Deferred">Folders and links with their metadata, and shares of files.</param>
/// <param name="Missed">By volume: blocks that it should have, and that were searched elsewhere.</param>
/// <param name="LeftOut">The attributes that were not set.</param>
internal sealed record PartResult(RestoreReport Report, IReadOnlyList<FileOutcome> Deferred, ILookup<string, BlockId> Missed, LeftOutAttributes LeftOut);
