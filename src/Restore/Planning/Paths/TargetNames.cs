namespace Restore.Planning.Paths;

/// <summary>
/// The claimed target paths as a tree: no two entries have the same path, and nothing lies below a
/// file or a link. The first claim wins. Each name is stored once, with about 34 bytes: a million
/// paths take about 50 MB. Not safe for concurrent use.
/// </summary>
internal sealed class TargetNames
{
    private const int Root = 0;

    /// <summary>A claim of no entry.</summary>
    public const int NoEntry = -1;

    private readonly PathTable names;
    private readonly SegmentedList<PlaceKind> kinds = new();
    private readonly SegmentedList<int> claimants = new();
    private byte[] lastParentPath = [];
    private int lastParent = Root;

    public TargetNames(TargetRules rules)
    {
        names = new PathTable(ignoresCase: !rules.CaseSensitive);
        names.TryAdd(-1, [], out _);
        kinds.Add(PlaceKind.ImpliedFolder);
        claimants.Add(NoEntry);
    }

    private enum PlaceKind : byte
    {
        /// <summary>
        /// Some entry lies below the folder; there is no entry for the folder itself so far.
        /// </summary>
        ImpliedFolder,
        Folder,
        File,
        Symlink,
    }

    /// <summary>
    /// Who has the path that the last claim could not have, in the same spelling; null if the path
    /// was free, or something else was in the way.
    /// </summary>
    public int? EarlierClaimant { get; private set; }

    /// <summary>Claims a target path (as <see cref="PathMap"/> makes them) for an entry.</summary>
    /// <param name="claimant">The number of the entry.</param>
    /// <returns>Why the entry cannot have it; null if it can.</returns>
    public string? Claim(ReadOnlySpan<byte> targetPath, EntryKind kind, int claimant = NoEntry)
    {
        EarlierClaimant = null;
        PlaceKind wanted = kind switch
        {
            EntryKind.Folder => PlaceKind.Folder,
            EntryKind.Symlink => PlaceKind.Symlink,
            _ => PlaceKind.File,
        };
        if (targetPath.IsEmpty)
        {
            return ClaimExisting(Root, wanted, [], claimant);
        }

        int slash = targetPath.LastIndexOf((byte)'/');
        ReadOnlySpan<byte> name = targetPath[(slash + 1)..];
        int parent = FindParent(slash < 0 ? [] : targetPath[..slash]);

        // A forged list could put a file below a link of its own, and the restore would write
        // through the link to any place.
        if (!IsFolder(parent))
        {
            return $"The path lies below a {Word(parent)} of the backup ('{NameOf(parent)}'); nothing is restored through that";
        }

        if (names.TryFind(parent, name, out int place))
        {
            return ClaimExisting(place, wanted, name, claimant);
        }

        Add(parent, name, wanted, claimant);
        return null;
    }

    /// <summary>Whether an entry has claimed a target path, by its exact name.</summary>
    public bool Has(string targetPath)
    {
        int place = Root;
        byte[] path = Encoding.UTF8.GetBytes(targetPath);
        foreach (Range range in path.AsSpan().Split((byte)'/'))
        {
            if (!names.TryFind(place, path.AsSpan(range), out place))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>
    /// Whether a file or link has claimed a path that differs from this one in upper and lower
    /// case, and only in the last name.
    /// </summary>
    public bool HasOtherSpelling(ReadOnlySpan<byte> targetPath)
    {
        int slash = targetPath.LastIndexOf((byte)'/');
        ReadOnlySpan<byte> name = targetPath[(slash + 1)..];
        int parent = FindParent(slash < 0 ? [] : targetPath[..slash]);
        return IsFolder(parent)
            && names.TryFind(parent, name, out int place)
            && !IsFolder(place)
            && !names.NameOf(place).SequenceEqual(name);
    }

    private string? ClaimExisting(int place, PlaceKind wanted, ReadOnlySpan<byte> name, int claimant)
    {
        if (kinds[place] != PlaceKind.ImpliedFolder && names.NameOf(place).SequenceEqual(name))
        {
            EarlierClaimant = claimants[place] is >= 0 and int earlier ? earlier : null;
        }

        switch (kinds[place], wanted)
        {
            case (PlaceKind.ImpliedFolder, PlaceKind.Folder):
                kinds[place] = PlaceKind.Folder;
                claimants[place] = claimant;
                return null;
            case (PlaceKind.ImpliedFolder, _):
                return "Other entries are restored below this path, so it has to be a folder";
            case (PlaceKind.Folder, PlaceKind.Folder):
                return $"Two folders of the backup have this path{As(place, name)}; it gets the attributes of the first";
            default:
                return $"A {Word(place)} of the backup has this path already{As(place, name)}; the first one is kept";
        }
    }

    /// <summary>
    /// Finds a folder, or the file or link in its place. Creates missing folders as implied.
    /// </summary>
    private int FindParent(ReadOnlySpan<byte> parentPath)
    {
        // Lists are sorted by path, so most entries have the parent of the entry before.
        if (parentPath.SequenceEqual(lastParentPath))
        {
            return lastParent;
        }

        int place = Root;
        foreach (Range range in parentPath.Split((byte)'/'))
        {
            ReadOnlySpan<byte> name = parentPath[range];
            place =
                name.IsEmpty ? Root
                : names.TryFind(place, name, out int child) ? child
                : Add(place, name, PlaceKind.ImpliedFolder, NoEntry);
            if (!IsFolder(place))
            {
                return place;
            }
        }

        lastParentPath = parentPath.ToArray();
        lastParent = place;
        return place;
    }

    private int Add(int parent, ReadOnlySpan<byte> name, PlaceKind kind, int claimant)
    {
        kinds.Add(kind);
        claimants.Add(claimant);
        names.TryAdd(parent, name, out int place);
        return place;
    }

    private string NameOf(int place) => Encoding.UTF8.GetString(names.NameOf(place));

    private bool IsFolder(int place) => kinds[place] <= PlaceKind.Folder;

    private string Word(int place) =>
        kinds[place] switch
        {
            PlaceKind.File => "file",
            PlaceKind.Symlink => "link",
            _ => "folder",
        };

    /// <summary>
    /// Names the first entry if its spelling differs, which happens where case makes no difference.
    /// </summary>
    private string As(int place, ReadOnlySpan<byte> name)
    {
        string first = NameOf(place);
        return first == Encoding.UTF8.GetString(name) ? "" : $" (as '{first}')";
    }
}
