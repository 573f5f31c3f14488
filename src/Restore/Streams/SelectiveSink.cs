using Restore.Planning.Paths;

namespace Restore.Streams;

/// <summary>
/// A sink that leaves out what a restore would refuse, and writes zeros for lost bytes.
/// </summary>
internal abstract class SelectiveSink : IEntrySink
{
    private const int BufferBytes = 256 << 10;

    private readonly byte[] buffer = new byte[BufferBytes];

    /// <summary>The entries that were left out, and why.</summary>
    public IssueLog Issues { get; } = [];

    /// <summary>The number of these entries by kind, and the length of their contents.</summary>
    private (long Files, long Folders, long Symlinks, long Bytes) LeftOut { get; set; }

    public abstract ValueTask TakeAsync(ExportedEntry entry, Stream content, CancellationToken cancellationToken);

    /// <summary>The report of the export without the entries that this sink left out.</summary>
    public ExportReport Complete(ExportReport report)
    {
        (long files, long folders, long symlinks, long bytes) = LeftOut;
        return report with
        {
            Files = report.Files - files,
            Folders = report.Folders - folders,
            Symlinks = report.Symlinks - symlinks,
            Bytes = report.Bytes - bytes,
            Issues = [.. report.Issues, .. Issues],
        };
    }

    protected static EntryKind KindOf(ExportedEntry entry) =>
        entry.Entry.Kind switch
        {
            BackupEntryKind.Folder => EntryKind.Folder,
            BackupEntryKind.Symlink => EntryKind.Symlink,
            _ => EntryKind.File,
        };

    /// <summary>
    /// Claims a path, and leaves out an entry that cannot have it: with a warning if the list has
    /// it twice and nothing is lost, as in a restore.
    /// </summary>
    /// <returns>Whether the entry has the path.</returns>
    protected bool TryClaim(ExportedEntry entry, string path, Stream content, TargetNames claims)
    {
        ContentStream? stream = content as ContentStream;
        EntryId? number = stream?.Entry;
        EntryKind kind = KindOf(entry);
        if (claims.Claim(Encoding.UTF8.GetBytes(path), kind, number?.Value ?? TargetNames.NoEntry) is not string taken)
        {
            return true;
        }

        bool isRepeated =
            number is EntryId later
            && claims.EarlierClaimant is int earlier
            && RepeatedEntry.Is(stream!.Version, later, new EntryId(earlier));
        if (isRepeated)
        {
            LeaveOut(entry, kind == EntryKind.Folder ? taken : RepeatedEntry.Reason, IssueKind.Warning);
        }
        else
        {
            LeaveOut(entry, taken);
        }

        return false;
    }

    /// <summary>Takes note of a range of lost bytes.</summary>
    protected virtual void NoteLost(string path, ByteRange lost) { }

    /// <summary>Passes on all bytes of a content, with zeros for lost bytes.</summary>
    /// <returns>Whether all bytes were there, with the hash of the file.</returns>
    protected async Task<bool> CopyAsync(
        ExportedEntry entry,
        Stream content,
        Func<ReadOnlyMemory<byte>, ValueTask> write,
        CancellationToken cancellationToken
    )
    {
        long size = entry.Entry.SizeBytes;
        ByteRange? lost = null;
        for (long at = 0; at < size; )
        {
            int count = (int)Math.Min(buffer.Length, size - at);
            try
            {
                content.Position = at;
                int read = await content.ReadAsync(buffer.AsMemory(0, count), cancellationToken).ConfigureAwait(false);
                count = read > 0 ? read : throw new EndOfStreamException("The content ends early");
            }
            catch (IOException) when (LostTo(content, at) is long to)
            {
                // Zeros as far as the lost range and the buffer reach. The content is read again
                // after them.
                count = (int)Math.Min(to - at, buffer.Length);
                Array.Clear(buffer, 0, count);
                lost = Joined(entry.Entry.Path, lost, new ByteRange(at, at + count));
            }
            catch (IOException)
                when (content is ContentStream { IsContradicted: true, IsTakenAnyway: false } contradicted)
            {
                // All bytes are there, but their hash differs from the hash in the list.
                contradicted.IsTakenAnyway = true;
                continue;
            }

            await write(buffer.AsMemory(0, count)).ConfigureAwait(false);
            at += count;
        }

        if (lost is ByteRange last)
        {
            NoteLost(entry.Entry.Path, last);
            return false;
        }

        if (content is ContentStream { IsContradicted: true })
        {
            // Any of the bytes can be wrong.
            NoteLost(entry.Entry.Path, new ByteRange(0, size));
            return false;
        }

        return true;
    }

    /// <summary>
    /// Whether no byte of a file can be read. Reads the first byte, or the bytes after lost ranges.
    /// </summary>
    protected async Task<bool> IsAllLostAsync(ExportedEntry entry, Stream content, CancellationToken cancellationToken)
    {
        long at = 0;
        while (at < entry.Entry.SizeBytes && content is ContentStream)
        {
            try
            {
                content.Position = at;
                await content.ReadAsync(buffer.AsMemory(0, 1), cancellationToken).ConfigureAwait(false);
                return false;
            }
            catch (IOException) when (LostTo(content, at) is long to)
            {
                at = to;
            }
            catch (IOException) when (content is ContentStream { IsContradicted: true })
            {
                return false;
            }
        }

        return at > 0;
    }

    protected void LeaveOut(ExportedEntry entry, string reason, IssueKind issue = IssueKind.Refused)
    {
        BackupEntryKind kind = entry.Entry.Kind;
        Issues.Add(new RestoreIssue(issue, entry.Entry.Path, reason));
        LeftOut = (
            LeftOut.Files + (kind == BackupEntryKind.File ? 1 : 0),
            LeftOut.Folders + (kind == BackupEntryKind.Folder ? 1 : 0),
            LeftOut.Symlinks + (kind == BackupEntryKind.Symlink ? 1 : 0),
            LeftOut.Bytes + (kind == BackupEntryKind.File ? entry.Entry.SizeBytes : 0)
        );
    }

    /// <summary>The end of the lost range that an offset is in; null if it is in none.</summary>
    private static long? LostTo(Stream content, long offset) =>
        content is ContentStream stream
        && stream.Lost.LastOrDefault(range => range.From <= offset && offset < range.To) is { To: > 0 } lost
            ? lost.To
            : null;

    /// <summary>
    /// Joins consecutive lost ranges, and notes one when the next does not continue it.
    /// </summary>
    private ByteRange Joined(string path, ByteRange? lost, ByteRange next)
    {
        if (lost is not ByteRange last)
        {
            return next;
        }

        if (last.To == next.From)
        {
            return last with { To = next.To };
        }

        NoteLost(path, last);
        return next;
    }
}
