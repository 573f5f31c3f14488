using Restore.Writing.Messages;

namespace Restore.Writing.Processes;

/// <summary>Collects the entries for the file list.</summary>
internal sealed class EntryCollector(EntryTable entries)
{
    public EntryTable Entries => entries;

    public List<RestoreIssue> Issues { get; } = [];

    public long Files { get; private set; }

    public int Same { get; private set; }

    public long Folders { get; private set; }

    public long Symlinks { get; private set; }

    public long Bytes { get; private set; }

    public async Task RunAsync(IReadChannelEnd<EntriesRead> input)
    {
        await foreach (EntriesRead read in input.ReadAllAsync().ConfigureAwait(false))
        {
            Issues.AddRange(read.Issues);
            read.Entries.ForEach(entry => Take(entry));
        }
    }

    private void Take(in ReadEntry entry)
    {
        Entries.Add(entry);
        Same += entry.IsSame ? 1 : 0;
        Files += entry.Source.Kind == EntryKind.File ? 1 : 0;
        Folders += entry.Source.Kind == EntryKind.Folder ? 1 : 0;
        Symlinks += entry.Source.Kind == EntryKind.Symlink ? 1 : 0;
        Bytes += entry.Content.SizeBytes;
    }
}
