using Restore.Writing.Source;

namespace Restore.Writing.Messages;

/// <summary>A batch of entries in the order of the walk, and those that could not be read.</summary>
internal sealed class EntriesFound
{
    public List<SourceEntry> Entries { get; } = [];

    public List<RestoreIssue> Issues { get; } = [];
}
