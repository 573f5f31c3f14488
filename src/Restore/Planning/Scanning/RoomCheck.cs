namespace Restore.Planning.Scanning;

/// <summary>
/// Compares what a plan writes with the room at the target, file system by file system. A file
/// that cannot fit now is named, and a warning names a file system that is too small for all of
/// them.
/// </summary>
/// <param name="hasHoles">Whether zeros become holes, which take no room.</param>
/// <param name="isBegun">For a shard: whether a file that several shards write has been begun by one
/// of them, so that some of it takes room already.</param>
/// <param name="isAgain">Whether an earlier attempt of the shard may have written its shares of
/// files already.</param>
internal sealed class RoomCheck(
    EntryPlans plans,
    EntryParts[] parts,
    Locations locations,
    IRestoreTarget target,
    RestoreOptions options,
    bool hasHoles,
    Predicate<EntryId>? isBegun = null,
    bool isAgain = false
)
{
    private readonly VersionContent content = plans.Content;
    private readonly BlockId zeroBlock = ZeroBlock.Find(plans.Content);
    private readonly Dictionary<string, Need> needs = new(StringComparer.Ordinal);
    private readonly IssueLog patchIssues = new();
    private readonly IssueLog roomIssues = new();

    /// <summary>The files that are changed in place, with the blocks of them that are right.</summary>
    public Dictionary<EntryId, BitSet> Patched { get; } = [];

    /// <summary>The files that do not fit.</summary>
    public HashSet<EntryId> TooLarge { get; } = [];

    /// <summary>What is to be said about the files that are changed in place.</summary>
    public IReadOnlyList<RestoreIssue> PatchIssues => patchIssues.ToList();

    /// <summary>
    /// What does not fit at this moment. It is true of the target and not of the plan: room may be
    /// made before the plan runs.
    /// </summary>
    public IReadOnlyList<RestoreIssue> RoomIssues => roomIssues.ToList();

    public void Check()
    {
        if (options.VerifyOnly)
        {
            return;
        }

        // Nothing is mounted in an empty folder.
        Need? only = target.IsEmpty ? NeedAt("") : null;
        (string Folder, Need Need)? last = null;
        foreach (EntryId entry in EntryId.UpTo(parts.Length))
        {
            if ((parts[entry] & EntryParts.Content) != 0 && content.SizeOf(entry) > 0)
            {
                Add(entry, only ?? NeedOf(entry, ref last));
            }
        }

        foreach (Need need in needs.Values.Where(need => need.Bytes > need.Room.FreeBytes))
        {
            string reason =
                $"The restore writes {need.Bytes:N0} bytes to the file system of this folder, and only {need.Room.FreeBytes:N0} are free there";
            roomIssues.Add(
                new RestoreIssue(IssueKind.Warning, target.Display(need.Folder), reason)
                {
                    Code = IssueCode.TargetTooSmall,
                }
            );
        }
    }

    private void Add(EntryId entry, Need need)
    {
        TargetRoom room = need.Room;
        long size = content.SizeOf(entry);
        long whole = BytesToWrite(entry, inPlace: null);
        long bytes =
            plans.ShareOf(entry) is not { } share ? BytesToWrite(entry, plans.InPlace(entry))
            : isBegun?.Invoke(entry) != true ? whole
            : isAgain ? 0
            : BytesToWrite(entry, inPlace: null, share);
        if (
            bytes > room.FreeBytes
            && plans.LocalBlocksOf(entry) is { IsOriginal: false } local
            && target.CanShare(local.Path)
        )
        {
            // The new file shares the right blocks of the old one, so these take no room.
            bytes = BytesToWrite(entry, local.Blocks);
        }

        // In order of preference: the file beside the old one, then in place of it, block by block,
        // and at last not at all. A file larger than the file system is not started in either way.
        if ((options.OverwriteInPlace || bytes > room.FreeBytes) && whole <= room.TotalBytes && TryPatch(entry, room))
        {
            return;
        }

        if (bytes > room.FreeBytes || whole > room.TotalBytes)
        {
            string reason =
                bytes > room.FreeBytes
                    ? $"{bytes:N0} bytes of the file have to be written, and only {room.FreeBytes:N0} are free at the target"
                    : $"{whole:N0} bytes of the file take room, and the file system at the target has only {room.TotalBytes:N0}";
            if (
                plans.LocalBlocksOf(entry) is { IsOriginal: false } old
                && plans[entry] == EntryAction.Replace
                && HasKnownLoss(entry, old.Blocks)
            )
            {
                reason += "; blocks of it are lost, so the file at the target is not changed in place and stays";
            }

            roomIssues.Add(
                new RestoreIssue(IssueKind.Refused, content.PathText(entry), reason)
                {
                    Code = IssueCode.TargetTooSmall,
                    Versions = content.VersionsOf(entry),
                }
            );
            TooLarge.Add(entry);
        }
        else if (plans[entry] != EntryAction.Replace)
        {
            // A file that replaces another one gives back the room of that one.
            need.Bytes += bytes;
        }
    }

    /// <summary>
    /// Without room for a second copy, or if the user chose so, the file at the path gets its wrong
    /// blocks in place: for an image that fills its disk there is no other way. Only its growth
    /// takes room.
    /// </summary>
    private bool TryPatch(EntryId entry, TargetRoom room)
    {
        string path = plans.TargetPath(entry);

        // If the target keeps files that are newer, the next run could not distinguish a
        // half-changed file from one of these, and would keep it. A file with several links would
        // change under its other names, too.
        if (
            plans[entry] != EntryAction.Replace
            || plans.IsShared(entry)
            || options.Keep != KeptAtTarget.None
            || plans.LocalBlocksOf(entry) is not { IsOriginal: false } local
            || local.Path != path
            || target.Inspect(path) is not { Kind: TargetKind.File, LinkCount: 1 } status
            || content.SizeOf(entry) - status.SizeBytes > room.FreeBytes
        )
        {
            return false;
        }

        if (options.OverwriteInPlace)
        {
            Patched.Add(entry, local.Blocks);
            return true;
        }

        if (HasKnownLoss(entry, local.Blocks))
        {
            // It could not be completed, and the old file would be lost for it.
            return false;
        }

        Patched.Add(entry, local.Blocks);

        const string Reason =
            "There is no room for a second copy, so the file is changed in place: if the restore is interrupted, it is neither the old nor the new one";
        patchIssues.Add(
            new RestoreIssue(IssueKind.Warning, content.PathText(entry), Reason)
            {
                Code = IssueCode.PatchedInPlace,
                TargetPath = target.Display(path),
            }
        );
        return true;
    }

    /// <summary>
    /// Whether the plan knows already that a block which the file lacks is in no volume.
    /// </summary>
    private bool HasKnownLoss(EntryId entry, BitSet present)
    {
        ContentId contentId = content.Entries[entry].Content;
        for (int index = 0; index < content.BlockCountOf(contentId); index++)
        {
            BlockId block = content.BlockOf(contentId, index);
            if (!present[index] && (block.IsNone || (block != zeroBlock && locations.VolumeOf(block).IsNone)))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>
    /// Bytes that take room: not those in place already, and no zeros that become a hole.
    /// </summary>
    private long BytesToWrite(EntryId entry, BitSet? inPlace, BitSet? share = null)
    {
        long size = content.SizeOf(entry);
        ContentId contentId = content.Entries[entry].Content;
        bool isHole = hasHoles && !zeroBlock.IsNone;
        if (inPlace is null && share is null && !isHole)
        {
            return size;
        }

        long bytes = 0;
        int count = content.BlockCountOf(contentId);
        for (int index = 0; index < count; index++)
        {
            bool takesRoom =
                inPlace?[index] != true
                && share?[index] != false
                && !(isHole && content.BlockOf(contentId, index) == zeroBlock);
            bytes += takesRoom ? content.Layout.BlockLength(size, index) : 0;
        }

        return bytes;
    }

    /// <summary>
    /// The file system of an entry. The result for the last folder is kept, because the entries of
    /// a folder follow each other.
    /// </summary>
    private Need NeedOf(EntryId entry, ref (string Folder, Need Need)? last)
    {
        string path = plans.TargetPath(entry);
        string folder = path[..Math.Max(path.LastIndexOf('/'), 0)];
        if (last is not { } known || known.Folder != folder)
        {
            known = (folder, NeedAt(folder));
            last = known;
        }

        return known.Need;
    }

    private Need NeedAt(string folder)
    {
        string fileSystem = target.FileSystemOf(folder);
        if (!needs.TryGetValue(fileSystem, out Need? need))
        {
            need = new Need(folder, target.RoomAt(folder));
            needs.Add(fileSystem, need);
        }

        return need;
    }

    private sealed class Need(string folder, TargetRoom room)
    {
        public string Folder { get; } = folder;

        public TargetRoom Room { get; } = room;

        public long Bytes { get; set; }
    }
}
