using Restore.Planning.Paths;
using Restore.Planning.Scanning;

namespace Restore.Streams;

/// <summary>
/// Looks at a folder before an export: where each file goes, as far as the losses are known.
/// </summary>
internal sealed class FolderLook(
    IExportFolder folder,
    TargetRules rules,
    RenameRule renaming,
    bool overwrites,
    BufferPool pool
)
{
    /// <summary>The files that get another name, and the entries that are left out.</summary>
    public IssueLog Issues { get; } = [];

    /// <param name="drill">Everything that is selected, with names by the rules of the
    /// folder.</param>
    public async Task<PassPlan> LookAsync(PassPlan drill, CancellationToken cancellationToken)
    {
        TargetNames claims = new(rules);
        FolderPlaces places = new(folder, claims, renaming);
        EntryPlans.Builder entries = new(drill.Content, drill.Entries.Paths);
        EntryParts[] parts = drill.Parts.ToArray();
        foreach (EntryId entry in drill.Included())
        {
            cancellationToken.ThrowIfCancellationRequested();
            string path = drill.Entries.TargetPath(entry);
            EntryKind kind = drill.Content.Entries[entry].Kind;
            claims.Claim(Encoding.UTF8.GetBytes(path), kind);

            // The folder keeps no metadata, so a loss of metadata does not count.
            parts[entry] &= ~EntryParts.Metadata;
            ScanResult result =
                kind == EntryKind.Symlink ? new ScanResult(entry, EntryAction.None) { Refusal = FolderPlaces.NoLinks }
                : kind.IsFile() ? await LookAsync(drill, entry, path, places, cancellationToken).ConfigureAwait(false)
                : new ScanResult(entry, EntryAction.Create);
            entries.Apply(result);
            if (result.Refusal is string reason)
            {
                IssueKind issue = kind == EntryKind.Symlink ? IssueKind.LeftOut : IssueKind.Refused;
                Issues.Add(new RestoreIssue(issue, drill.Content.PathText(entry), reason));
                parts[entry] = EntryParts.None;
            }
        }

        return new PassPlan(entries.Build(), parts, drill.Locations, drill.Volumes, drill.LeavesBlocksToFiles);
    }

    private async Task<ScanResult> LookAsync(
        PassPlan drill,
        EntryId entry,
        string path,
        FolderPlaces places,
        CancellationToken cancellationToken
    )
    {
        VersionContent content = drill.Content;
        int lost = drill.ItemsWithoutBytes(entry).Count(item => !item.IsMetadata);
        if (lost > 0 && lost == content.BlockCountOf(content.Entries[entry].Content))
        {
            // Nothing is written.
            return new ScanResult(entry, EntryAction.Create);
        }

        try
        {
            (string place, EntryAction action) = await places
                .FindAsync(
                    path,
                    content.SizeOf(entry),
                    overwrites && lost == 0,
                    there => IsSameAsync(drill, entry, there, cancellationToken),
                    cancellationToken
                )
                .ConfigureAwait(false);
            if (place == path)
            {
                return new ScanResult(entry, action);
            }

            Issues.Add(TargetScan.Renamed(content.PathText(entry), place));
            return new ScanResult(entry, action) { Renamed = place };
        }
        catch (IOException failure)
        {
            return new ScanResult(entry, EntryAction.None) { Refusal = failure.Message };
        }
    }

    /// <summary>
    /// Compares a file that is there with what would be written, which has zeros for lost blocks,
    /// by the hashes of the blocks.
    /// </summary>
    private async Task<bool> IsSameAsync(
        PassPlan drill,
        EntryId entry,
        string path,
        CancellationToken cancellationToken
    )
    {
        (VersionContent content, long size) = (drill.Content, drill.Content.SizeOf(entry));
        using PooledBuffer buffer = pool.Rent((int)Math.Min(size, content.Layout.BlockSizeBytes));
        for (int index = 0; index < content.BlockCountOf(content.Entries[entry].Content); index++)
        {
            Memory<byte> bytes = buffer.Memory[..content.Layout.BlockLength(size, index)];
            if (
                await TryReadAsync(path, content.Layout.OffsetOf(index), bytes, cancellationToken).ConfigureAwait(false)
                    != bytes.Length
                || !(
                    drill.SourceOf(entry, Item.Content(index)) == ItemSource.Nowhere
                        ? !bytes.Span.ContainsAnyExcept((byte)0)
                        : content.Blocks.Hash.Matches(
                            bytes.Span,
                            content.Blocks.HashOf(drill.BlockOf(entry, Item.Content(index)))
                        )
                )
            )
            {
                return false;
            }
        }

        return true;
    }

    private async Task<int> TryReadAsync(
        string path,
        long offset,
        Memory<byte> bytes,
        CancellationToken cancellationToken
    )
    {
        try
        {
            return await folder.ReadAsync(path, offset, bytes, cancellationToken).ConfigureAwait(false);
        }
        catch (IOException)
        {
            return -1; // What cannot be read is not the same.
        }
    }
}
