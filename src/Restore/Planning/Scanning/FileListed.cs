namespace Restore.Planning.Scanning;

/// <summary>Entries whose target path is to be scanned: a batch of (entry, target path).</summary>
internal sealed class FileListed : IMeasured
{
    public List<(EntryId Entry, string Path)> Entries { get; } = [];

    public long Bytes => 0;
}
