using Restore.Planning.Paths;
using Restore.Planning.Scanning;
using Restore.Resume;

namespace Restore.Streams;

/// <summary>
/// Writes entries into a folder with asynchronous calls, by the rules of a restore: which name they
/// get, and what happens to files that are there.
/// </summary>
internal sealed class FolderSink(
    IExportFolder folder,
    PathMap paths,
    TargetNames claims,
    RenameRule renaming,
    bool overwrites
) : SelectiveSink
{
    private readonly FolderPlaces places = new(folder, claims, renaming);
    private byte[] there = [];

    /// <summary>The files that were there already, and their bytes.</summary>
    public (long Files, long Bytes) Unchanged { get; private set; }

    public override async ValueTask TakeAsync(ExportedEntry entry, Stream content, CancellationToken cancellationToken)
    {
        EntryKind kind = KindOf(entry);
        if (paths.Map(entry.Entry.Path, kind, out string? refusal) is not string path)
        {
            LeaveOut(entry, refusal!);
            return;
        }

        if (path.Length == 0)
        {
            return;
        }

        if (Encoding.UTF8.GetByteCount(path) is > FileLister.MaxPathBytes and var length)
        {
            LeaveOut(entry, FileLister.TooLong(length));
            return;
        }

        if (RecordNames.IsRecord(Path.GetFileName(path)))
        {
            LeaveOut(entry, RecordNames.LeftOutReason, IssueKind.Warning);
            return;
        }

        if (!TryClaim(entry, path, content, claims))
        {
            return;
        }

        if (kind == EntryKind.Symlink)
        {
            LeaveOut(entry, FolderPlaces.NoLinks, IssueKind.LeftOut);
            return;
        }

        try
        {
            await PutAsync(entry, path, content, cancellationToken).ConfigureAwait(false);
            NoteOtherName(entry, path);
        }
        catch (IOException failure) when (content is not ContentStream stream || !stream.HasThrown(failure))
        {
            // A failure of the folder costs this entry only. The export itself reports lost bytes.
            LeaveOut(entry, failure.Message);
        }
    }

    private async Task PutAsync(ExportedEntry entry, string path, Stream content, CancellationToken cancellationToken)
    {
        if (entry.Entry.Kind == BackupEntryKind.Folder)
        {
            await folder.CreateFolderAsync(path, cancellationToken).ConfigureAwait(false);
            return;
        }

        // A file with lost bytes does not replace one that is there: it gets a name with the date.
        (string place, EntryAction action) = await FindAsync(overwrites).ConfigureAwait(false);
        if (
            action == EntryAction.Replace
            && !await TryWriteAsync(entry, place, content, isReplaced: true, cancellationToken).ConfigureAwait(false)
        )
        {
            (place, action) = await FindAsync(mayReplace: false).ConfigureAwait(false);
        }

        if (action == EntryAction.Keep)
        {
            Keep(content);
        }
        else if (action == EntryAction.Create)
        {
            await TryWriteAsync(entry, place, content, isReplaced: false, cancellationToken).ConfigureAwait(false);
        }

        if (place != path && (action == EntryAction.Keep || !IsAllLost(content)))
        {
            Issues.Add(TargetScan.Renamed(entry.Entry.Path, place));
        }

        Task<(string Path, EntryAction Action)> FindAsync(bool mayReplace) =>
            places.FindAsync(
                path,
                content.Length,
                mayReplace,
                there => IsSameAsync(entry, there, content, cancellationToken),
                cancellationToken
            );
    }

    /// <summary>
    /// Writes a file, unless all of its bytes are lost. False, and nothing is changed, if it would
    /// replace another one and some are lost.
    /// </summary>
    private async Task<bool> TryWriteAsync(
        ExportedEntry entry,
        string path,
        Stream content,
        bool isReplaced,
        CancellationToken cancellationToken
    )
    {
        IExportFile file = await folder.CreateFileAsync(path, cancellationToken).ConfigureAwait(false);
        await using (file.ConfigureAwait(false))
        {
            bool isWhole = await CopyAsync(
                    entry,
                    content,
                    bytes => file.WriteAsync(bytes, cancellationToken),
                    cancellationToken
                )
                .ConfigureAwait(false);
            if (IsAllLost(content))
            {
                return true;
            }

            if (isReplaced && !isWhole)
            {
                return false;
            }

            await file.CommitAsync(cancellationToken).ConfigureAwait(false);
            if (isReplaced)
            {
                Issues.Add(TargetScan.Replaced(entry.Entry.Path));
            }

            return true;
        }
    }

    /// <summary>
    /// Compares a file that is there with what would be written, which has zeros for lost bytes.
    /// </summary>
    private async Task<bool> IsSameAsync(
        ExportedEntry entry,
        string path,
        Stream content,
        CancellationToken cancellationToken
    )
    {
        bool isSame = true;
        long at = 0;
        await CopyAsync(
                entry,
                content,
                async bytes =>
                {
                    isSame = isSame && await IsThereAsync(path, at, bytes, cancellationToken).ConfigureAwait(false);
                    at += bytes.Length;
                },
                cancellationToken
            )
            .ConfigureAwait(false);
        return isSame;
    }

    private async Task<bool> IsThereAsync(
        string path,
        long offset,
        ReadOnlyMemory<byte> bytes,
        CancellationToken cancellationToken
    )
    {
        if (there.Length < bytes.Length)
        {
            there = new byte[bytes.Length];
        }

        try
        {
            Memory<byte> found = there.AsMemory(0, bytes.Length);
            return await folder.ReadAsync(path, offset, found, cancellationToken).ConfigureAwait(false) == bytes.Length
                && found.Span.SequenceEqual(bytes.Span);
        }
        catch (IOException)
        {
            return false; // What cannot be read is not the same.
        }
    }

    /// <summary>
    /// Takes note of a file that is as it was restored before. One with losses is not among the
    /// files that are restored.
    /// </summary>
    private void Keep(Stream content)
    {
        if (content is not ContentStream { Lost.Count: > 0 } and not ContentStream { IsContradicted: true })
        {
            Unchanged = (Unchanged.Files + 1, Unchanged.Bytes + content.Length);
        }
    }

    private static bool IsAllLost(Stream content) =>
        content is ContentStream { Lost.Count: > 0 } stream
        && stream.Lost.Sum(range => range.To - range.From) == content.Length;

    private void NoteOtherName(ExportedEntry entry, string path)
    {
        string own = Encoding.UTF8.GetString(OriginalPath.NameOf(Encoding.UTF8.GetBytes(entry.Entry.Path)));
        string name = Path.GetFileName(path);
        if (own.Length > 0 && name != own)
        {
            Issues.Add(TargetScan.OtherName(entry.Entry.Path, name));
        }
    }
}
