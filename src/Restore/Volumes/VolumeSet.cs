namespace Restore.Volumes;

/// <summary>The volumes of one backup in a store, by kind.</summary>
internal sealed class VolumeSet
{
    private readonly Dictionary<string, Volume> byName = new(StringComparer.Ordinal);
    private readonly Dictionary<string, Volume> byOriginal = new(StringComparer.OrdinalIgnoreCase);
    private readonly Dictionary<string, Volume> byGuid = new(StringComparer.OrdinalIgnoreCase);
    private readonly List<ListedVolume> listed;
    private readonly VolumeListing listing;
    private readonly List<VolumeDoubt> doubts;

    private VolumeSet(string prefix, List<ListedVolume> volumes, List<RestoreIssue> issues, VolumeListing listing)
    {
        Prefix = prefix;
        Issues = issues;
        this.listing = listing;
        listed = volumes;
        Strange = [.. listing.Strange(prefix)];
        doubts = VolumeDoubts.Without(Strange, volumes);
        HashSet<string> present = [.. volumes.Select(volume => volume.Name.Name)];
        List<ListedVolume> known = [.. volumes, .. Missing(present)];

        // Sorted by name, so that the order does not depend on the store.
        foreach (ListedVolume one in known.OrderBy(volume => volume.Name.Name, StringComparer.Ordinal))
        {
            Volume volume = new(new VolumeId(All.Count), one.Name, one.SizeBytes)
            {
                IsMissing = !present.Contains(one.Name.Name),
                ArchiveTier = one.ArchiveTier,
            };
            All.Add(volume);
            byName[volume.FileName] = volume;
            byOriginal[one.Original] = volume;
            if (one.Name.Kind == VolumeKind.Block)
            {
                byGuid[one.Name.Guid] = volume;
            }
        }

        FileLists =
        [
            .. All.Where(volume => volume.Name.Kind == VolumeKind.FileList)
                .OrderByDescending(volume => volume.Name.Time),
        ];
        Indexes = [.. All.Where(volume => volume.Name.Kind == VolumeKind.Index)];
        Blocks = [.. All.Where(volume => volume.Name.Kind == VolumeKind.Block)];
    }

    /// <summary>
    /// The listed bytes of volumes. A store may list any size: a sum that is too large stays at
    /// the largest number.
    /// </summary>
    public static long BytesOf(IEnumerable<Volume> volumes) =>
        volumes.Aggregate(0L, (sum, volume) => long.CreateSaturating((Int128)sum + volume.SizeBytes));

    public string Prefix { get; }

    public IReadOnlyList<RestoreIssue> Issues { get; }

    public List<Volume> All { get; } = [];

    public IReadOnlyDictionary<string, StoredFile> Parity => listing.Parity;

    /// <summary>
    /// Copies of volumes that may serve if one of these is damaged, by its name in the store.
    /// </summary>
    public IReadOnlyDictionary<string, ListedVolume> Spares => listing.Spares;

    public IReadOnlyList<Volume> FileLists { get; }

    /// <summary>Files that may be volumes, also those beside volumes that are there.</summary>
    public IReadOnlyList<VolumeDoubt> Strange { get; }

    /// <summary>
    /// Files that stand for a volume that is not there, or look like it. The volume is not lost
    /// then, and has to come back before anything is deleted.
    /// </summary>
    /// <param name="isOf">Of which kinds.</param>
    public IEnumerable<VolumeDoubt> StandIns(Predicate<VolumeKind> isOf) =>
        doubts.Where(doubt => isOf(doubt.Trace.Kind));

    /// <summary>Names one of them; null if there is none.</summary>
    public string? StandIn(Predicate<VolumeKind> isOf) =>
        StandIns(isOf)
            .Select(one => $"{one.FileName} {one.What}; fetch it, rename it back, or move it away if it is nothing")
            .FirstOrDefault();

    /// <summary>
    /// Copies of a volume beside it. Each would take its place if it were deleted alone.
    /// </summary>
    public IReadOnlyList<string> CopiesOf(string fileName) => listing.Copies.GetValueOrDefault(fileName) ?? [];

    /// <summary>
    /// When file lists were made, of those that were opened so far; null if a list does not say it.
    /// </summary>
    public ConcurrentDictionary<VolumeId, DateTimeOffset?> ListsMade { get; } = [];

    public IReadOnlyList<Volume> Indexes { get; }

    public IReadOnlyList<Volume> Blocks { get; }

    /// <summary>
    /// Lists a store and selects the volumes of one backup. File lists may be missing only if there
    /// is a database.
    /// </summary>
    public static async Task<VolumeSet> ListAsync(
        IVolumeStore store,
        string? prefix,
        bool needsFileLists,
        CancellationToken cancellationToken,
        TrustRules? rules = null
    )
    {
        VolumeListing listing = await VolumeListing.ReadAsync(store, prefix, cancellationToken).ConfigureAwait(false);
        string? hint =
            listing.Issues.Count > 0 ? string.Join(". ", listing.Issues.Select(issue => issue.Reason)) : null;
        string chosen = ChoosePrefix(store, [.. listing.Prefixes], prefix, listing.Others, hint);
        List<ListedVolume> found = [.. listing.Volumes.Where(volume => volume.Name.Prefix == chosen)];
        List<RestoreIssue> issues = [.. listing.Issues];
        if (rules is { AllowsUnencrypted: var allows, HasPassphrase: var hasPassphrase })
        {
            found = await MisnamedVolumes
                .RecognizeAsync(store, found, hasPassphrase || allows, issues, cancellationToken)
                .ConfigureAwait(false);
        }

        VolumeSet volumes = new(
            chosen,
            rules is null ? found : VolumeTrust.Filter(found, rules.Value, store.DisplayName, issues),
            issues,
            listing
        );
        issues.AddRange(FrozenVolumes.Describe(volumes.FileLists, store.DisplayName));
        return volumes.FileLists.Count > 0 || !needsFileLists
            ? volumes
            : throw new RestoreException(
                RestoreErrorCode.FileListsMissing,
                "The backup has no file list (.dlist) left, so it is not known which files its blocks belong to"
                    + (hint is null ? "" : $". {hint}"),
                store.DisplayName
            );
    }

    /// <summary>
    /// The volumes of one backup among the files of a store; none of them is judged.
    /// </summary>
    public static VolumeSet Of(IEnumerable<StoredFile> files, string prefix)
    {
        VolumeListing listing = VolumeListing.Of(files, prefix);
        return new VolumeSet(prefix, listing.Volumes.FindAll(volume => volume.Name.Prefix == prefix), [], listing);
    }

    /// <summary>The prefixes of the backups among the files of a store.</summary>
    public static IEnumerable<string> PrefixesOf(IEnumerable<StoredFile> files) => VolumeListing.Of(files).Prefixes;

    /// <summary>
    /// Block volumes that only have their parity file left: perhaps it is enough to rebuild them.
    /// </summary>
    private IEnumerable<ListedVolume> Missing(HashSet<string> present)
    {
        foreach (string volume in Parity.Keys.Where(volume => !present.Contains(volume)))
        {
            if (
                VolumeName.TryParse(volume, out VolumeName name)
                && name.Kind == VolumeKind.Block
                && name.Prefix == Prefix
            )
            {
                yield return new ListedVolume(name, 0, name.Name);
            }
        }
    }

    public VolumeSet Without(Predicate<string> isGone) =>
        new(Prefix, listed.FindAll(volume => !isGone(volume.Name.Name)), [.. Issues], listing.Without(isGone));

    /// <summary>The volume that has a name now, or had it when it was made.</summary>
    public Volume? Find(string fileName) =>
        byName.GetValueOrDefault(fileName) ?? byOriginal.GetValueOrDefault(fileName);

    /// <summary>
    /// Deletes a volume, and before it its parity file: a parity file without its volume would
    /// count as a lost volume, which no later command removes.
    /// </summary>
    public async Task DeleteAsync(RetryingSink sink, string fileName, CancellationToken cancellationToken)
    {
        if (Parity.TryGetValue(fileName, out StoredFile parity))
        {
            await sink.DeleteAsync(parity.Name, cancellationToken).ConfigureAwait(false);
        }

        // A copy that stays would stand in for the list, and the version would be back.
        bool isList = byName.GetValueOrDefault(fileName) is { Name.Kind: VolumeKind.FileList };
        foreach (string copy in isList ? CopiesOf(fileName) : [])
        {
            await sink.DeleteAsync(copy, cancellationToken).ConfigureAwait(false);
        }

        await sink.DeleteAsync(fileName, cancellationToken).ConfigureAwait(false);
    }

    /// <summary>
    /// The block volume that an index means by a name: the one with that name, else the one with
    /// that guid and another suffix, else null.
    /// </summary>
    public Volume? FindBlocks(string fileName)
    {
        if (byName.TryGetValue(fileName, out Volume? volume))
        {
            return volume.Name.Kind == VolumeKind.Block ? volume : null;
        }

        return StoredName.Read(fileName).Volume is { Kind: VolumeKind.Block, Guid: { } guid }
            ? byGuid.GetValueOrDefault(guid)
            : null;
    }

    private static string ChoosePrefix(
        IVolumeStore store,
        List<string> prefixes,
        string? wanted,
        int others,
        string? hint
    )
    {
        if (prefixes.Count == 0)
        {
            throw new RestoreException(
                RestoreErrorCode.BackupNotFound,
                hint
                    ?? others switch
                    {
                        0 => "There is no file in the folder",
                        1 => "The only file in the folder is not a volume of a Duplicati backup",
                        _ => $"None of the {others} files in the folder is a volume of a Duplicati backup",
                    },
                store.DisplayName
            );
        }

        string known = string.Join(", ", prefixes);
        if (wanted is null)
        {
            return prefixes.Count == 1
                ? prefixes[0]
                : throw new RestoreException(
                    RestoreErrorCode.SeveralBackups,
                    $"The folder holds {prefixes.Count} backups: {known}",
                    store.DisplayName
                );
        }

        return prefixes.Find(prefix => prefix == wanted)
            ?? prefixes.Find(prefix => prefix.Equals(wanted, StringComparison.OrdinalIgnoreCase))
            ?? throw new RestoreException(
                RestoreErrorCode.PrefixNotFound,
                $"There is no backup with the prefix {wanted}, only: {known}",
                store.DisplayName
            );
    }
}
