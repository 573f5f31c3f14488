using Restore.Writing.Messages;
using Restore.Writing.Source;

namespace Restore.Writing;

/// <summary>
/// All entries of the newest version as they will be in the next one, for a backup that only looks
/// at what changed.
/// </summary>
/// <param name="previous">Receives the entries too.</param>
/// <param name="listBytes">Length of the list; what it decodes to can be a thousand times as
/// long.</param>
internal sealed class KeptEntries(PreviousEntries previous, long listBytes) : IFileListSink
{
    // An honest list takes some ten times its length here.
    private const long FreeBytes = 64 << 20;
    private const int BytesOfListByte = 40;
    private const int BytesOfEntry = 400;

    private readonly List<ReadEntry> entries = [];
    private long leftBytes = FreeBytes + (BytesOfListByte * listBytes);

    public IReadOnlyList<ReadEntry> Entries => entries;

    /// <summary>Why the next version cannot be built from these entries; null if it can.</summary>
    public string? Problem { get; private set; }

    public void Entry(in FileListEntry entry)
    {
        previous.Entry(entry);
        if (Problem is not null)
        {
            return;
        }

        int bytes =
            BytesOfEntry
            + (2 * entry.Path.Length)
            + entry.Hash.Length
            + entry.MetaHash.Length
            + entry.BlocklistHashes.Length;
        if ((leftBytes -= bytes) < 0)
        {
            Problem = "it has more entries than a list of its length can have";
        }
        // Duplicati refuses a list with entries that have no metadata.
        else if (entry.MetaHash.IsEmpty)
        {
            Problem = "an entry has no usable metadata";
        }
        else
        {
            entries.Add(Kept(entry));
        }
    }

    public void Unusable(string path, string reason)
    {
        previous.Unusable(path, reason);
        Problem ??= $"an entry of it cannot be used: {reason}";
    }

    private static ReadEntry Kept(in FileListEntry entry)
    {
        string path = Encoding.UTF8.GetString(entry.Path);
        SourceStatus status = new()
        {
            Kind = entry.Kind,
            SizeBytes = entry.SizeBytes,
            LastWriteTicks = entry.TimeTicks,
            IsLinkToFolder = entry.Kind == EntryKind.Symlink && Path.EndsInDirectorySeparator(path),
        };
        ContentHashes content = entry.Kind.IsFile()
            ? new ContentHashes(
                entry.SizeBytes,
                entry.Hash.ToArray(),
                entry.BlockHash.ToArray(),
                entry.BlocklistHashes.ToArray()
            )
            : default;
        ContentHashes metadata = new(
            entry.MetaSizeBytes,
            entry.MetaHash.ToArray(),
            entry.MetaBlockHash.ToArray(),
            entry.MetaBlocklistHashes.ToArray()
        );
        return new ReadEntry(new SourceEntry(path, entry.Kind, status), content, metadata, IsSame: true);
    }
}
