using Restore.Writing.Messages;
using Restore.Writing.Source;

namespace Restore.Writing.Processes;

/// <summary>Collects the entries for the file list.</summary>
internal sealed class EntryCollector(EntryTable entries)
{
    public EntryTable Entries => entries;

    // Enough to find the others.
    private const int MostNamed = 3;

    private readonly SortedSet<string> special = new(StringComparer.Ordinal);
    private long specialFiles;
    private long specialFolders;

    public List<RestoreIssue> Issues { get; } = [];

    public UnstoredModeBits? UnstoredModeBits =>
        special.Count > 0 ? new UnstoredModeBits(specialFiles, specialFolders, [.. special]) : null;

    /// <summary>
    /// The paths of the entries, without a separator at the end, if they are wanted.
    /// </summary>
    public Dictionary<string, EntryKind>? Found { get; init; }

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
            read.Entries.ForEach(entry => Add(entry));
        }
    }

    public void Add(in ReadEntry entry)
    {
        Found?.TryAdd(Path.TrimEndingDirectorySeparator(entry.Source.Path), entry.Source.Kind);
        Entries.Add(entry);
        Same += entry.IsSame ? 1 : 0;
        Files += entry.Source.Kind == EntryKind.File ? 1 : 0;
        Folders += entry.Source.Kind == EntryKind.Folder ? 1 : 0;
        Symlinks += entry.Source.Kind == EntryKind.Symlink ? 1 : 0;
        Bytes += entry.Content.SizeBytes;
        if (entry.Source.Status.HasSpecialBits)
        {
            AddSpecial(entry.Source);
        }
    }

    private void AddSpecial(in SourceEntry source)
    {
        (source.Kind == EntryKind.Folder ? ref specialFolders : ref specialFiles)++;
        special.Add(source.ListedPath);
        if (special.Count > MostNamed)
        {
            special.Remove(special.Max!);
        }
    }
}
