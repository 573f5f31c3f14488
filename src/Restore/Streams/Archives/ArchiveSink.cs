using Restore.Planning.Paths;
using Restore.Resume;

namespace Restore.Streams.Archives;

/// <summary>
/// Writes entries to an archive, in order, in bounded memory. The same entries give the same bytes. Lost bytes are zeros, and a file at the end of the archive
/// names them, since an archive on its way to a pipe cannot be corrected.
/// </summary>
internal abstract class ArchiveSink : IEntrySink
{
    private const string DamageName = "restore-damaged-ranges.txt";

    private const int BufferBytes = 256 << 10;
    private const int MaxDamageChars = 4 << 20;

    /// <summary>The file that names what is not in the archive: a page that sends it has no other place for that.</summary>
    private const string LeftOutName = "restore-left-out.txt";

    private readonly byte[] buffer = new byte[BufferBytes];
    private readonly TargetNames claims = new(TargetRules.Unix);
    private readonly StringBuilder damage = new();
    private readonly HashSet<string> names = new(StringComparer.Ordinal);
    private readonly List<(ExportedEntry Entry, string Name)> folders = [];

    /// <summary>The entries that were left out, and why.</summary>
    public IssueLog Issues { get; } = [];

    /// <summary>The number of these entries by kind, and the length of their contents.</summary>
    public (long Files, long Folders, long Symlinks, long Bytes) LeftOut { get; private set; }

    /// <summary>The name of a path of Windows in an archive: relative, with slashes.</summary>
    public static string NameOf(string path)
    {
        IEnumerable<string> parts = path.Split('/', '\\').Where(part => part.Length > 0);
        return string.Join('/', parts.Select((part, index) => index == 0 && part is [_, ':'] ? part[..1] : part));
    }

    /// <summary>Receives an entry. Unix names can have a backslash; only Windows paths are split at it.</summary>
    public async ValueTask TakeAsync(ExportedEntry entry, Stream content, CancellationToken cancellationToken)
    {
        string path = entry.Entry.Path;
        string name = path.StartsWith('/') ? NameOfUnix(path) : NameOf(path);
        if (name.Length == 0)
        {
            return;
        }

        if (RecordNames.IsRecord(Path.GetFileName(name)))
        {
            LeaveOut(entry, RecordNames.LeftOutReason, IssueKind.Warning);
            return;
        }

        if (Refusal(entry, name) is string reason)
        {
            LeaveOut(entry, reason);
            return;
        }

        if (entry.Entry.Kind == BackupEntryKind.Folder)
        {
            // Folders come last, the deepest first: then no file that is unpacked after its folder changes the time of the folder, or is kept out by its mode.
            folders.Add((entry, name));
            return;
        }

        if (name.StartsWith(DamageName[..^4], StringComparison.Ordinal) || name.StartsWith(LeftOutName[..^4], StringComparison.Ordinal))
        {
            names.Add(name);
        }

        await WriteEntryAsync(entry, name, content, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>Writes the folders, what is damaged and what is left out, if anything is, and the end of the archive.</summary>
    /// <param name="issues">What the export itself could not do.</param>
    public async Task FinishAsync(IEnumerable<RestoreIssue> issues, CancellationToken cancellationToken)
    {
        foreach ((ExportedEntry entry, string name) in folders.OrderByDescending(folder => folder.Name, StringComparer.Ordinal))
        {
            await WriteEntryAsync(entry, name, Stream.Null, cancellationToken).ConfigureAwait(false);
        }

        if (damage.Length > 0)
        {
            damage.Insert(0, "Bytes of these files are lost and are zeros here: path, first byte, byte after the last\n");
            await WriteTextAsync(DamageName, damage.ToString(), cancellationToken).ConfigureAwait(false);
        }

        StringBuilder leftOut = new();
        foreach (RestoreIssue issue in issues.Concat(Issues.ToList()).Where(issue => issue.Kind is IssueKind.Refused or IssueKind.Missing))
        {
            leftOut.Append(leftOut.Length < MaxDamageChars ? $"{Plain(issue.Path)}\t{Plain(issue.Reason)}\n" : "");
        }

        if (leftOut.Length > 0)
        {
            await WriteTextAsync(LeftOutName, $"These entries are not here: path, reason\n{leftOut}", cancellationToken).ConfigureAwait(false);
        }

        await WriteEndAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>A text without control characters, which a name can have: one line, whatever shows it.</summary>
    private static string Plain(string text) => string.Concat(text.Select(letter => char.IsControl(letter) ? ' ' : letter));

    private async Task WriteTextAsync(string fileName, string text, CancellationToken cancellationToken)
    {
        string name = fileName;
        for (int i = 2; names.Contains(name); i++)
        {
            name = $"{fileName[..^4]}-{i}.txt";
        }

        byte[] bytes = Encoding.UTF8.GetBytes(text);
        ExportedEntry entry = new(new BackupEntry("/" + name, BackupEntryKind.File, bytes.Length, DateTimeOffset.UnixEpoch))
        {
            LastModified = DateTimeOffset.UnixEpoch,
            Mode = UnixFileMode.UserRead | UnixFileMode.UserWrite,
        };
        using MemoryStream content = new(bytes);
        await WriteEntryAsync(entry, name, content, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Why a restore would not have an entry: its path leads elsewhere, something else has it, or it lies below a file or a link. A program that unpacks
    /// would follow the link. Links that lead out are kept: nothing is unpacked through them.
    /// </summary>
    private string? Refusal(ExportedEntry entry, string name)
    {
        EntryKind kind = entry.Entry.Kind switch
        {
            BackupEntryKind.Folder => EntryKind.Folder,
            BackupEntryKind.Symlink => EntryKind.Symlink,
            _ => EntryKind.File,
        };
        if (OriginalPath.Check(Encoding.UTF8.GetBytes(entry.Entry.Path), kind) is string refusal)
        {
            return refusal;
        }

        if (kind == EntryKind.Symlink && (string.IsNullOrEmpty(entry.LinkTarget) || entry.LinkTarget.Contains('\0')))
        {
            return "The metadata of the link has no target";
        }

        return claims.Claim(Encoding.UTF8.GetBytes(name), kind);
    }

    protected abstract Task WriteEntryAsync(ExportedEntry entry, string name, Stream content, CancellationToken cancellationToken);

    protected abstract Task WriteEndAsync(CancellationToken cancellationToken);

    /// <summary>Passes all bytes of a content on, with zeros for those that are lost.</summary>
    protected async Task CopyAsync(
        ExportedEntry entry, Stream content, Func<ReadOnlyMemory<byte>, ValueTask> write, CancellationToken cancellationToken)
    {
        long size = entry.Entry.SizeBytes;
        (long from, long to) lost = (-1, -1);
        bool isContradicted = false;
        for (long at = 0; at < size;)
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
                count = (int)Math.Min(to - at, buffer.Length);
                Array.Clear(buffer, 0, count);
                Note(entry.Entry.Path, ref lost, at, at + count);
            }
            catch (IOException) when (content is ContentStream { IsContradicted: true } && !isContradicted)
            {
                // All bytes are there and the hash is not that of the list. It is compared once, so the next read returns them.
                isContradicted = true;
                continue;
            }

            await write(buffer.AsMemory(0, count)).ConfigureAwait(false);
            at += count;
        }

        Note(entry.Entry.Path, ref lost, -1, -1);
    }

    private void LeaveOut(ExportedEntry entry, string reason, IssueKind issue = IssueKind.Refused)
    {
        BackupEntryKind kind = entry.Entry.Kind;
        Issues.Add(new RestoreIssue(issue, entry.Entry.Path, reason));
        LeftOut = (
            LeftOut.Files + (kind == BackupEntryKind.File ? 1 : 0),
            LeftOut.Folders + (kind == BackupEntryKind.Folder ? 1 : 0),
            LeftOut.Symlinks + (kind == BackupEntryKind.Symlink ? 1 : 0),
            LeftOut.Bytes + (kind == BackupEntryKind.File ? entry.Entry.SizeBytes : 0));
    }

    /// <summary>The end of the lost range that an offset is in; null if it is in none.</summary>
    private static long? LostTo(Stream content, long offset) =>
        content is ContentStream { Lost: [.., var last] } && last.From <= offset && offset < last.To ? last.To : null;

    private static string NameOfUnix(string path) => string.Join('/', path.Split('/').Where(part => part.Length > 0));

    /// <summary>Joins consecutive lost ranges, and notes one when the next does not continue it.</summary>
    private void Note(string path, ref (long From, long To) lost, long from, long to)
    {
        if (from >= 0 && from == lost.To)
        {
            lost.To = to;
            return;
        }

        if (lost.From >= 0 && damage.Length < MaxDamageChars)
        {
            damage.Append(Plain(path)).Append('\t').Append(lost.From).Append('\t').Append(lost.To).Append('\n');
        }

        lost = (from, to);
    }
}
