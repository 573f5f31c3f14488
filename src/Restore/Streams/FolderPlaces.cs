using Restore.Planning;
using Restore.Planning.Paths;
using Restore.Planning.Scanning;

namespace Restore.Streams;

/// <summary>Decides where a file goes in a folder that may have files already.</summary>
internal sealed class FolderPlaces(IExportFolder folder, TargetNames claims, RenameRule renaming)
{
    public const string NoLinks = "The target holds no links";

    /// <param name="size">The length of its content.</param>
    /// <param name="isSame">Whether a file of this length has the content.</param>
    /// <returns>The path of the entry or a name with the date beside it, which is free, has the right file, or has one to replace.</returns>
    /// <exception cref="IOException">No file can be there.</exception>
    public async Task<(string Path, EntryAction Action)> FindAsync(
        string path, long size, bool overwrites, Func<string, Task<bool>> isSame, CancellationToken cancellationToken)
    {
        foreach (string candidate in renaming.Candidates(path).Where(candidate => !claims.Has(candidate)).Prepend(path))
        {
            // An empty file is as none: it is no loss, and what a restore that was cut off leaves.
            long? length = await folder.FindFileAsync(candidate, cancellationToken).ConfigureAwait(false);
            if (length is null || (length == 0 && size > 0))
            {
                return (candidate, EntryAction.Create);
            }

            if (length == size && await isSame(candidate).ConfigureAwait(false))
            {
                return (candidate, EntryAction.Keep);
            }

            if (overwrites && candidate == path)
            {
                return (candidate, EntryAction.Replace);
            }
        }

        throw new IOException("All names that it could get beside the file that is there are taken");
    }
}

/// <summary>Looks at a folder before an export: where each file goes, as far as the losses are known.</summary>
internal sealed class FolderLook(IExportFolder folder, TargetRules rules, RenameRule renaming, bool overwrites, BufferPool pool)
{
    /// <summary>The files that get another name, and the entries that are left out.</summary>
    public IssueLog Issues { get; } = [];

    /// <param name="drill">Everything that is selected, with names by the rules of the folder.</param>
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

            // The folder keeps none, so a loss of metadata is none.
            parts[entry] &= ~EntryParts.Metadata;
            ScanResult result = kind == EntryKind.Symlink ? new ScanResult(entry, EntryAction.None) { Refusal = FolderPlaces.NoLinks }
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

    private async Task<ScanResult> LookAsync(PassPlan drill, EntryId entry, string path, FolderPlaces places, CancellationToken cancellationToken)
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
            (string place, EntryAction action) = await places.FindAsync(
                path, content.SizeOf(entry), overwrites && lost == 0, there => IsSameAsync(drill, entry, there, cancellationToken), cancellationToken)
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

    /// <summary>Compares a file that is there with what would be written, which has zeros for lost blocks, by the hashes of the blocks.</summary>
    private async Task<bool> IsSameAsync(PassPlan drill, EntryId entry, string path, CancellationToken cancellationToken)
    {
        (VersionContent content, long size) = (drill.Content, drill.Content.SizeOf(entry));
        using PooledBuffer buffer = pool.Rent((int)Math.Min(size, content.Layout.BlockSizeBytes));
        for (int index = 0; index < content.BlockCountOf(content.Entries[entry].Content); index++)
        {
            Memory<byte> bytes = buffer.Memory[..content.Layout.BlockLength(size, index)];
            if (await TryReadAsync(path, content.Layout.OffsetOf(index), bytes, cancellationToken).ConfigureAwait(false) != bytes.Length
                || !(drill.SourceOf(entry, Item.Content(index)) == ItemSource.Nowhere
                    ? !bytes.Span.ContainsAnyExcept((byte)0)
                    : content.Blocks.Hash.Matches(bytes.Span, content.Blocks.HashOf(drill.BlockOf(entry, Item.Content(index))))))
            {
                return false;
            }
        }

        return true;
    }

    private async Task<int> TryReadAsync(string path, long offset, Memory<byte> bytes, CancellationToken cancellationToken)
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
