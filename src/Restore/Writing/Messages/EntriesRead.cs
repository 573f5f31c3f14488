using Restore.Writing.Source;

namespace Restore.Writing.Messages;

/// <summary>An entry as it will be in the file list.</summary>
/// <param name="Source">The entry in the source.</param>
/// <param name="Content">Hashes of its content; files only.</param>
/// <param name="Metadata">Hashes of its metadata.</param>
/// <param name="IsSame">Whether the newest version has it so.</param>
internal readonly record struct ReadEntry(SourceEntry Source, ContentHashes Content, ContentHashes Metadata, bool IsSame);

/// <summary>A batch of entries that were read, and those that could not be read.</summary>
internal sealed class EntriesRead
{
    public List<ReadEntry> Entries { get; } = [];

    public List<RestoreIssue> Issues { get; } = [];

    public int Count => Entries.Count + Issues.Count;
}
