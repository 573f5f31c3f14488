using Restore.Writing.Source;

namespace Restore.Writing.Messages;

/// <summary>A run of entries in the order of the walk, and what could not be looked at.</summary>
internal sealed class EntriesFound
{
    public List<SourceEntry> Entries { get; } = [];

    public List<RestoreIssue> Issues { get; } = [];
}
