namespace Restore.Catalog.Locating;

/// <summary>
/// What a search learns about volumes: which index describes which block volume, which are missing,
/// damaged or of another length.
/// </summary>
/// <param name="keepsAll">Whether links, hashes and defects are kept; a plan needs only which
/// volumes are described.</param>
internal sealed class VolumeSurvey(BlockLayout layout, bool keepsAll)
{
    // A person looks at a few; an index volume can name any number.
    private const int MaxAbsent = 10_000;

    private readonly Lock gate = new();
    private readonly HashSet<VolumeId> described = [];
    private readonly HashSet<(VolumeId Index, VolumeId Blocks)> links = [];
    private readonly Dictionary<VolumeId, byte[]> hashes = [];
    private readonly HashSet<Volume> wrongLengths = [];
    private readonly HashSet<string> absent = new(StringComparer.Ordinal);
    private readonly HashSet<VolumeId> ofAbsentVolumes = [];
    private readonly Dictionary<Volume, string> brokenIndexes = [];
    private readonly HashSet<VolumeId> unreadable = [];
    private readonly HashSet<VolumeId> listedInPart = [];
    private readonly HashSet<Volume> unreadIndexes = [];
    private readonly HashSet<Volume> unreadBlocks = [];
    private int indexesOfThisLayout;

    public IEnumerable<(VolumeId Index, VolumeId Blocks)> Links =>
        links.OrderBy(link => link.Index.Value).ThenBy(link => link.Blocks.Value);

    /// <summary>Block volumes with another length than some index volume gives.</summary>
    public IEnumerable<Volume> ContradictedLengths => wrongLengths.OrderBy(volume => volume.Id.Value);

    /// <summary>
    /// The block volumes with a length that no index volume confirms and at least one contradicts.
    /// </summary>
    public IEnumerable<Volume> WrongLengths => ContradictedLengths.Where(volume => !hashes.ContainsKey(volume.Id));

    /// <summary>
    /// Names of block volumes that an index volume describes and the store does not have.
    /// </summary>
    public IEnumerable<string> Absent => absent.Order(StringComparer.Ordinal);

    /// <summary>Index volumes that cannot be used, or not as a whole, with the reason.</summary>
    public IReadOnlyDictionary<Volume, string> BrokenIndexes => brokenIndexes;

    /// <summary>
    /// The block volumes that no index volume describes; known when the index volumes have been
    /// read.
    /// </summary>
    public IReadOnlyList<Volume> Undescribed { get; set; } = [];

    /// <summary>
    /// Block volumes with a directory that was requested and cannot be read: their blocks are
    /// unknown.
    /// </summary>
    public IReadOnlySet<VolumeId> Unreadable => unreadable;

    /// <summary>
    /// Block volumes that are damaged or cut, so that they can have more blocks than were found.
    /// </summary>
    public IReadOnlyCollection<VolumeId> ListedInPart => listedInPart;

    /// <summary>Index volumes that describe only block volumes that are not there.</summary>
    public IEnumerable<VolumeId> Orphans
    {
        get
        {
            HashSet<VolumeId> linked = [.. links.Select(link => link.Index)];
            return ofAbsentVolumes.Where(index => !linked.Contains(index)).OrderBy(index => index.Value);
        }
    }

    /// <summary>Whether an index volume describes a block volume that is not there.</summary>
    public bool DescribesAbsent(VolumeId index) => ofAbsentVolumes.Contains(index);

    /// <summary>
    /// The layout of an index volume with a manifest that contradicts the version's manifest; null
    /// if no index volume contradicts it.
    /// </summary>
    public BlockLayout? OtherLayout { get; private set; }

    /// <summary>
    /// Whether there are index volumes, and the manifest of every one contradicts the version's.
    /// </summary>
    public bool IsLayoutContradicted => OtherLayout is not null && indexesOfThisLayout == 0;

    public bool IsDescribed(VolumeId volume)
    {
        lock (gate)
        {
            return described.Contains(volume);
        }
    }

    /// <summary>
    /// The hash of a block volume, as an index volume gives it; null if none does.
    /// </summary>
    public byte[]? HashOf(VolumeId volume) => hashes.GetValueOrDefault(volume);

    public void Take(Volume index, IndexContents contents)
    {
        lock (gate)
        {
            indexesOfThisLayout += contents.Layout == layout ? 1 : 0;
            OtherLayout ??= contents.Layout is { } other && other != layout ? other : null;
            described.UnionWith(contents.Volumes.Select(blocks => blocks.Volume));
            if (keepsAll)
            {
                TakeAll(index, contents);
            }
        }
    }

    public void TakeBroken(Volume index, string reason, IssueCode code = IssueCode.None)
    {
        lock (gate)
        {
            brokenIndexes.TryAdd(index, reason);
            if (LostVolume.IsUnread(code))
            {
                unreadIndexes.Add(index);
            }
        }
    }

    /// <summary>
    /// The names of volumes that say nothing about their blocks although they are not known to be
    /// damaged, index volumes first: frozen ones, and those that this user may not read. Empty as
    /// long as another volume describes each of them.
    /// </summary>
    public string[] Unread()
    {
        lock (gate)
        {
            return unreadBlocks.Count == 0 ? [] : [.. NamesOf(unreadIndexes), .. NamesOf(unreadBlocks)];
        }

        static IEnumerable<string> NamesOf(IEnumerable<Volume> volumes) =>
            volumes.Select(volume => volume.FileName).Order(StringComparer.Ordinal);
    }

    public void TakeDirectory(VolumeId volume, bool isWhole)
    {
        lock (gate)
        {
            if (!isWhole)
            {
                listedInPart.Add(volume);
            }
        }
    }

    public void TakeUnreadable(Volume volume, IssueCode code)
    {
        lock (gate)
        {
            unreadable.Add(volume.Id);
            if (LostVolume.IsUnread(code) && !described.Contains(volume.Id))
            {
                unreadBlocks.Add(volume);
            }
        }
    }

    private void TakeAll(Volume index, IndexContents contents)
    {
        links.UnionWith(contents.Volumes.Select(blocks => (index.Id, blocks.Volume)));
        foreach ((Volume volume, IndexVolumeInfo info) in contents.Descriptions)
        {
            if (info.VolumeSizeBytes is long length && length != volume.SizeBytes)
            {
                wrongLengths.Add(volume);
            }
            else if (info.VolumeHash is byte[] hash)
            {
                hashes.TryAdd(volume.Id, hash);
            }
        }

        // A large index volume is taken in several parts, and the descriptions stay in its contents
        // until here. They count once.
        contents.Descriptions.Clear();
        absent.UnionWith(contents.AbsentVolumes.Select(volume => volume.Name).Take(MaxAbsent - absent.Count));
        if (contents.AbsentVolumes.Count > 0)
        {
            ofAbsentVolumes.Add(index.Id);
        }
    }
}
