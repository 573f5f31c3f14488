using Restore.Planning.Paths;
using Restore.Resume;

namespace Restore.Streams.Archives;

/// <summary>
/// Writes entries to an archive, in order, in bounded memory. The same entries give the same bytes.
/// Lost bytes are zeros, and a file at the end of the archive names them, since an archive on its
/// way to a pipe cannot be corrected. A file that is lost completely is left out.
/// </summary>
internal abstract class ArchiveSink : SelectiveSink
{
    private const string DamageName = "restore-damaged-ranges.txt";

    private const int MaxDamageChars = 4 << 20;

    /// <summary>
    /// The file that names the entries that are not in the archive: a web page that sends the
    /// archive has no other place for them.
    /// </summary>
    private const string LeftOutName = "restore-left-out.txt";

    private readonly TargetNames claims = new(TargetRules.Unix);
    private readonly StringBuilder damage = new();
    private readonly HashSet<string> names = new(StringComparer.Ordinal);
    private readonly List<(ExportedEntry Entry, string Name)> folders = [];
    private readonly string root = "";

    /// <summary>
    /// Whether anyone may have made the entries. If so, entries that could lead out of the folder
    /// where the archive is unpacked are issues.
    /// </summary>
    public bool Warns { get; init; }

    /// <summary>The folder in which the paths begin; null for full paths.</summary>
    public string? Root
    {
        init => root = NameIn(value ?? "");
    }

    /// <summary>The name of a path of Windows in an archive: relative, with slashes.</summary>
    public static string NameOf(string path) => string.Join('/', EntryPath.TargetNames(path));

    /// <summary>
    /// Receives an entry. Unix names can have a backslash; only Windows paths are split at it.
    /// </summary>
    public override async ValueTask TakeAsync(ExportedEntry entry, Stream content, CancellationToken cancellationToken)
    {
        string path = entry.Entry.Path;
        string name = BelowRoot(NameIn(path));
        if (name.Length == 0)
        {
            return;
        }

        if (
            entry.Entry.Kind == BackupEntryKind.Symlink
            && !path.StartsWith('/')
            && entry.LinkTarget is { Length: > 0 } recorded
        )
        {
            entry = entry with { LinkTarget = WindowsLink.Translate(path, recorded, prefixLength: 0) ?? recorded };
            if (entry.LinkTarget == recorded && recorded.Contains(':', StringComparison.Ordinal))
            {
                const string Elsewhere =
                    "The link points to a place of Windows that is not in the archive: it leads nowhere on other systems";
                Issues.Add(new RestoreIssue(IssueKind.Warning, path, Elsewhere));
            }
        }

        if (RecordNames.IsRecord(Path.GetFileName(name)))
        {
            LeaveOut(entry, RecordNames.LeftOutReason, IssueKind.Warning);
            return;
        }

        if (Refusal(entry) is string reason)
        {
            LeaveOut(entry, reason);
            return;
        }

        if (!TryClaim(entry, name, content, claims))
        {
            return;
        }

        if (Warns && Caution(entry, name) is string caution)
        {
            Issues.Add(new RestoreIssue(IssueKind.Warning, path, caution));
        }

        if (entry.Entry.Kind == BackupEntryKind.Folder)
        {
            // Folders come last, the deepest first: then no file that is unpacked after its folder
            // changes the time of the folder, or is kept out by its mode.
            folders.Add((entry, name));
            return;
        }

        // As in a restore: zeros under the right name look like the file. The report of the export
        // has it among what is missing.
        if (await IsAllLostAsync(entry, content, cancellationToken).ConfigureAwait(false))
        {
            return;
        }

        if (
            name.StartsWith(DamageName[..^4], StringComparison.Ordinal)
            || name.StartsWith(LeftOutName[..^4], StringComparison.Ordinal)
        )
        {
            // A file of the backup can have the name of a file that is added at the end, which then
            // gets another name.
            names.Add(name);
        }

        await WriteEntryAsync(entry, name, content, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Writes the folders, what is damaged and what is left out, if anything is, and the end of the
    /// archive.
    /// </summary>
    /// <param name="issues">What the export itself could not do.</param>
    public async Task FinishAsync(IEnumerable<RestoreIssue> issues, CancellationToken cancellationToken)
    {
        foreach (
            (ExportedEntry entry, string name) in folders.OrderByDescending(
                folder => folder.Name,
                StringComparer.Ordinal
            )
        )
        {
            await WriteEntryAsync(entry, name, Stream.Null, cancellationToken).ConfigureAwait(false);
        }

        if (damage.Length > 0)
        {
            damage.Insert(
                0,
                "Bytes of these files are lost and are zeros here: path, first byte, byte after the last\n"
            );
            await WriteTextAsync(DamageName, damage.ToString(), cancellationToken).ConfigureAwait(false);
        }

        StringBuilder leftOut = new();
        foreach (
            RestoreIssue issue in issues
                .Concat(Issues.ToList())
                .Where(issue =>
                    issue.Kind is IssueKind.Refused or IssueKind.Missing || issue.Code == IssueCode.OnlySuspect
                )
        )
        {
            leftOut.Append(leftOut.Length < MaxDamageChars ? $"{Plain(issue.Path)}\t{Plain(issue.Reason)}\n" : "");
        }

        if (leftOut.Length > 0)
        {
            await WriteTextAsync(LeftOutName, $"These entries are not here: path, reason\n{leftOut}", cancellationToken)
                .ConfigureAwait(false);
        }

        await WriteEndAsync(cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// A text without control characters, which a name can have: one line, whatever shows it.
    /// </summary>
    private static string Plain(string text) =>
        string.Concat(text.Select(letter => char.IsControl(letter) ? ' ' : letter));

    private async Task WriteTextAsync(string fileName, string text, CancellationToken cancellationToken)
    {
        string name = fileName;
        for (int i = 2; names.Contains(name); i++)
        {
            name = $"{fileName[..^4]}-{i}.txt";
        }

        byte[] bytes = Encoding.UTF8.GetBytes(text);
        ExportedEntry entry = new(
            new BackupEntry("/" + name, BackupEntryKind.File, bytes.Length, DateTimeOffset.UnixEpoch)
        )
        {
            LastModified = DateTimeOffset.UnixEpoch,
            Mode = UnixFileMode.UserRead | UnixFileMode.UserWrite,
        };
        using MemoryStream content = new(bytes);
        await WriteEntryAsync(entry, name, content, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// Why a restore would not have an entry: its path leads elsewhere, or it is a link to nothing.
    /// Links that lead out are kept: nothing is unpacked through them, because what lies below a
    /// file or a link is left out.
    /// </summary>
    private static string? Refusal(ExportedEntry entry)
    {
        EntryKind kind = KindOf(entry);
        if (OriginalPath.Check(Encoding.UTF8.GetBytes(entry.Entry.Path), kind) is string refusal)
        {
            return refusal;
        }

        return kind == EntryKind.Symlink && (string.IsNullOrEmpty(entry.LinkTarget) || entry.LinkTarget.Contains('\0'))
            ? "The metadata of the link has no target"
            : null;
    }

    /// <summary>What a program that unpacks an entry could do, but must not do.</summary>
    private static string? Caution(ExportedEntry entry, string name) =>
        name.Contains('\\', StringComparison.Ordinal)
            ? "Its name has a '\\', at which some programs split it when they unpack: look at it before"
        : LeadsOut(name, entry.LinkTarget ?? "")
            ? "The link points out of the archive, and anyone can have written the list: look at it before you use it"
        : null;

    private static bool LeadsOut(string name, string linkTarget)
    {
        // Counts how deep each part of the target leads. A target that leaves the archive and comes
        // back to it leads out, too.
        int depth = name.Count(letter => letter == '/');
        string[] parts = linkTarget.Split('/', '\\');
        return (parts.Length > 1 && parts[0].Length == 0)
            || linkTarget.Contains(':', StringComparison.Ordinal)
            || Array.Exists(
                parts,
                part =>
                    (
                        depth += part switch
                        {
                            ".." => -1,
                            "." or "" => 0,
                            _ => 1,
                        }
                    ) < 0
            );
    }

    /// <summary>
    /// Returns the mode of an entry for an archive: programs that unpack set the mode first and its
    /// access list, if the archive has one and they know it, afterwards.
    /// </summary>
    protected static int? ModeWithoutList(ExportedEntry entry) =>
        AccessList.ModeWithout((int?)entry.Mode, entry.ExtendedAttributes);

    protected abstract Task WriteEntryAsync(
        ExportedEntry entry,
        string name,
        Stream content,
        CancellationToken cancellationToken
    );

    protected abstract Task WriteEndAsync(CancellationToken cancellationToken);

    /// <summary>A name without what is left out; empty for the root and what is above it.</summary>
    private string BelowRoot(string name) =>
        root.Length == 0 ? name
        : name == root || root.StartsWith(name + '/', StringComparison.Ordinal) ? ""
        : name.StartsWith(root + '/', StringComparison.Ordinal) ? name[(root.Length + 1)..]
        : name;

    private static string NameIn(string path) => path.StartsWith('/') ? NameOfUnix(path) : NameOf(path);

    private static string NameOfUnix(string path) => string.Join('/', path.Split('/').Where(part => part.Length > 0));

    protected override void NoteLost(string path, ByteRange lost)
    {
        if (damage.Length < MaxDamageChars)
        {
            damage.Append(Plain(path)).Append('\t').Append(lost.From).Append('\t').Append(lost.To).Append('\n');
        }
    }
}
