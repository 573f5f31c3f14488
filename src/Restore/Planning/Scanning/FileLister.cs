using Restore.Planning.Paths;
using Restore.Resume;

namespace Restore.Planning.Scanning;

/// <summary>
/// Maps the selected entries in order to their target paths, refuses those that must not be
/// restored, and sends the files that must be scanned.
/// </summary>
/// <param name="names">The names at the target; null if no target could hold all entries.</param>
/// <param name="renaming">Names for a file that differs from an earlier one only in upper and lower
/// case, which the target does not tell apart.</param>
internal sealed class FileLister(
    EntryPlans.Builder plans,
    TargetNames? names,
    RenameRule renaming,
    RestoreOptions options,
    long mostBlocks,
    long maxBlockBytes,
    IssueLog issues
)
{
    // Existing files are read and hashed. Few of them form a batch, so that no TargetScanner has
    // much left when the others are done.
    private const int BatchEntries = 256;
    private const long BatchBytes = 8L << 20;

    private const long MaxBlocksPerFile = VersionContent.MaxBlocksPerFile;

    // What every target takes. A path of a megabyte would be half a million folders in the table of
    // names.
    public const int MaxPathBytes = 4095;

    private readonly long limit = mostBlocks;

    private byte[] original = [];
    private byte[] buffer = [];
    private long blocksLeft = mostBlocks;

    /// <summary>The folder of the backup in the target; null if it is elsewhere.</summary>
    public BackupPlace? Backup { get; init; }

    /// <summary>
    /// Limit of the blocks of a plan: what block volumes of this length can explain.
    /// </summary>
    public static long MostBlocks(long volumeBytes) =>
        Math.Min(4 * MaxBlocksPerFile, BlockBudget.OfContents(volumeBytes));

    public static string TooLong(int length) =>
        $"The path at the target is {length:N0} bytes long, which is longer than {MaxPathBytes:N0} bytes";

    public async Task RunAsync(IWriteChannelEnd<FileListed> output)
    {
        FileListed batch = new();
        long batchBytes = 0;
        foreach (EntryId entry in EntryId.UpTo(plans.Count))
        {
            // A file that is listed alone fills a batch by its bytes: hashing it may take as long
            // as hashing the others of a full batch.
            if (List(entry) is string path)
            {
                batch.Entries.Add((entry, path));
                batchBytes += plans.Content.SizeOf(entry);
            }

            if (batch.Entries.Count == BatchEntries || batchBytes >= BatchBytes)
            {
                await output.WriteAsync(batch).ConfigureAwait(false);
                batch = new FileListed();
                batchBytes = 0;
            }
        }

        await output.WriteAsync(batch).ConfigureAwait(false);
    }

    /// <summary>Decides about an entry, as far as possible without a scan of the target.</summary>
    /// <returns>The path to scan, or null if no scan is needed.</returns>
    private string? List(EntryId entry)
    {
        VersionContent content = plans.Content;
        EntryKind kind = content.Entries[entry].Kind;
        if (plans.Paths.Map(content.PathOf(entry, ref original), kind, ref buffer, out int length) is string refusal)
        {
            if (content.IsAbove(entry))
            {
                return null;
            }

            Refuse(entry, refusal);
            return null;
        }

        if (Backup?.Refuse(buffer.AsSpan(0, length)) is string inBackup)
        {
            LeaveToBackup(entry, inBackup);
            return null;
        }

        if (content.IsAbove(entry))
        {
            return ListAbove(entry, length);
        }

        if (length > MaxPathBytes)
        {
            Refuse(entry, TooLong(length));
            return null;
        }

        if (kind == EntryKind.Symlink && options.SkipMetadata)
        {
            // Asked for, so it is a note and not a loss.
            const string Reason = "The target of a link is metadata, which this restore leaves out";
            issues.Add(
                new RestoreIssue(IssueKind.Warning, content.PathText(entry), Reason)
                {
                    Code = IssueCode.LinkWithoutMetadata,
                }
            );
            return null;
        }

        if (
            buffer.AsSpan(0, length).EndsWith(RecordNames.Suffix)
            && RecordNames.IsRecord(Path.GetFileName(Encoding.UTF8.GetString(buffer, 0, length)))
        )
        {
            issues.Add(new RestoreIssue(IssueKind.Warning, content.PathText(entry), RecordNames.LeftOutReason));
            return null;
        }

        if (RefuseSize(entry) is IssueReason reason)
        {
            Refuse(entry, reason.Sentence, reason.Code);
            return null;
        }

        if (names is not null && names.Claim(buffer.AsSpan(0, length), kind, entry.Value) is string taken)
        {
            if (names.EarlierClaimant is int earlier && RepeatedEntry.Is(plans.Content, entry, new EntryId(earlier)))
            {
                string repeated = kind == EntryKind.Folder ? taken : RepeatedEntry.Reason;
                issues.Add(new RestoreIssue(IssueKind.Warning, content.PathText(entry), repeated));
                return null;
            }

            if (
                kind != EntryKind.File
                || !names.HasOtherSpelling(buffer.AsSpan(0, length))
                || ClaimOtherName(length) is not string free
            )
            {
                Refuse(entry, taken);
                return null;
            }

            // Two entries of the backup share the name at a target without case: both are restored.
            plans.Apply(new ScanResult(entry, EntryAction.Create) { Renamed = free });
            issues.Add(TargetScan.OtherCase(content.PathText(entry), Path.GetFileName(free)));
            return free;
        }

        plans[entry] = EntryAction.Create;
        NoteOtherName(entry, length);

        // A folder that exists is used as it is, so its path needs no scan.
        return kind.IsFile() || kind == EntryKind.Symlink ? Encoding.UTF8.GetString(buffer, 0, length) : null;
    }

    /// <summary>
    /// Refuses what would go into the folder of the backup. A folder is no loss: many backups have
    /// the folder that they are in, without its files.
    /// </summary>
    private void LeaveToBackup(EntryId entry, string reason)
    {
        if (plans.Content.Entries[entry].Kind != EntryKind.Folder)
        {
            Refuse(entry, reason);
        }
        else if (!plans.Content.IsAbove(entry))
        {
            const string Reason = "It is the folder of the backup or in it, and stays as it is";
            issues.Add(new RestoreIssue(IssueKind.Warning, plans.Content.PathText(entry), Reason));
        }
    }

    private string? ClaimOtherName(int length) =>
        renaming
            .Candidates(Encoding.UTF8.GetString(buffer, 0, length))
            .FirstOrDefault(name => names!.Claim(Encoding.UTF8.GetBytes(name), EntryKind.File) is null);

    /// <summary>
    /// A folder above the selection gets its metadata if the restore makes it; one that is there
    /// already stays as it is.
    /// </summary>
    private string? ListAbove(EntryId entry, int length)
    {
        if (
            length > MaxPathBytes
            || RefuseSize(entry) is not null
            || names?.Claim(buffer.AsSpan(0, length), EntryKind.Folder) is not null
        )
        {
            return null;
        }

        plans[entry] = EntryAction.Create;
        return Encoding.UTF8.GetString(buffer, 0, length);
    }

    /// <summary>
    /// Says under which name an entry is restored, if the target does not accept its own.
    /// </summary>
    private void NoteOtherName(EntryId entry, int length)
    {
        ReadOnlySpan<byte> own = OriginalPath.NameOf(plans.Content.PathOf(entry, ref original));
        ReadOnlySpan<byte> place = buffer.AsSpan(0, length);
        if (!own.IsEmpty && !place.IsEmpty && !place[(place.LastIndexOf((byte)'/') + 1)..].SequenceEqual(own))
        {
            string name = Encoding.UTF8.GetString(place[(place.LastIndexOf((byte)'/') + 1)..]);
            if (plans.Paths.Settings.Redirects is { } redirects)
            {
                // A source has the name of the folder that the link at its place leads to.
                string text = Encoding.UTF8.GetString(place);
                if (redirects.Any(redirect => redirect.To == text))
                {
                    return;
                }
            }

            issues.Add(TargetScan.OtherName(plans.Content.PathText(entry), name));
        }
    }

    private IssueReason? RefuseSize(EntryId entry)
    {
        long size = plans.Content.SizeOf(entry);
        long blocks = plans.Content.Layout.BlockCount(size);
        if (blocks > MaxBlocksPerFile)
        {
            return new IssueReason(
                $"The file has {blocks:N0} blocks; more than {MaxBlocksPerFile:N0} in one file are not supported"
            );
        }

        if (plans.Content.RefuseLongBlocks(plans.Content.Entries[entry].Content, maxBlockBytes) is IssueReason tooLong)
        {
            return tooLong;
        }

        long metadataBlocks = plans.Content.Layout.BlockCount(
            plans.Content.SizeOf(plans.Content.Entries[entry].Metadata)
        );

        // The list itself has the hash of a content of one block. More blocks are only a claim of a
        // few bytes, the size, so they count.
        long needed = (blocks > 1 ? blocks : 0) + (metadataBlocks > 1 ? metadataBlocks : 0);
        if (needed > blocksLeft)
        {
            return new IssueReason(
                $"The plan has more than {limit:N0} blocks with this entry",
                IssueCode.TooManyBlocks
            );
        }

        blocksLeft -= needed;
        return null;
    }

    private void Refuse(EntryId entry, string reason, IssueCode code = IssueCode.None) =>
        issues.Add(
            new RestoreIssue(IssueKind.Refused, plans.Content.PathText(entry), reason)
            {
                Code = code,
                Versions = plans.Content.VersionsOf(entry),
            }
        );
}
