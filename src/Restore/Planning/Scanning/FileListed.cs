namespace Restore.Planning.Scanning;

/// <summary>Entries with a target path to scan: a batch of (entry, target path).</summary>
internal sealed class FileListed : IMeasured
{
    public List<(EntryId Entry, string Path)> Entries { get; } = [];

    public long Bytes => 0;
}
