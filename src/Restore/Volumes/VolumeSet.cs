namespace Restore.Volumes;

/// <summary>The volumes of one backup in a store, by kind.</summary>
internal sealed class VolumeSet
{
    private const string ParitySuffix = ".par2";

    private readonly Dictionary<string, Volume> byName = new(StringComparer.Ordinal);
    private readonly Dictionary<string, Volume> byGuid = new(StringComparer.OrdinalIgnoreCase);

    private VolumeSet(string prefix, List<(VolumeName Name, long SizeBytes)> volumes, List<RestoreIssue> issues, Dictionary<string, StoredFile> parity)
    {
        Prefix = prefix;
        Issues = issues;
        Parity = parity;
        HashSet<string> present = [.. volumes.Select(volume => volume.Name.Name)];
        List<(VolumeName Name, long SizeBytes)> known = [.. volumes, .. Missing(present)];

        // Sorted by name, so that the order does not depend on the store.
        foreach ((VolumeName name, long sizeBytes) in known.OrderBy(volume => volume.Name.Name, StringComparer.Ordinal))
        {
            Volume volume = new(new VolumeId(All.Count), name, sizeBytes) { IsMissing = !present.Contains(name.Name) };
            All.Add(volume);
            byName[volume.FileName] = volume;
            if (name.Kind == VolumeKind.Block)
            {
                byGuid[name.Guid] = volume;
            }
        }

        FileLists = [.. All.Where(volume => volume.Name.Kind == VolumeKind.FileList).OrderByDescending(volume => volume.Name.Time)];
        Indexes = [.. All.Where(volume => volume.Name.Kind == VolumeKind.Index)];
        Blocks = [.. All.Where(volume => volume.Name.Kind == VolumeKind.Block)];
    }

    public string Prefix { get; }

    public IReadOnlyList<RestoreIssue> Issues { get; }

    public List<Volume> All { get; } = [];

    public IReadOnlyDictionary<string, StoredFile> Parity { get; }

    public IReadOnlyList<Volume> FileLists { get; }

    /// <summary>When file lists were made, of those that were opened so far; null if a list does not say it.</summary>
    public ConcurrentDictionary<VolumeId, DateTimeOffset?> ListsMade { get; } = [];

    public IReadOnlyList<Volume> Indexes { get; }

    public IReadOnlyList<Volume> Blocks { get; }

    /// <summary>Lists a store and selects the volumes of one backup. File lists may be missing only if there is a database.</summary>
    public static async Task<VolumeSet> ListAsync(
        IVolumeStore store, string? prefix, bool needsFileLists, CancellationToken cancellationToken, TrustRules? rules = null)
    {
        List<(VolumeName Name, long SizeBytes)> found = [];
        Dictionary<string, StoredFile> parity = new(StringComparer.Ordinal);
        int others = 0;
        List<string> renamed = [];
        await foreach (StoredFile file in store.ListAsync(cancellationToken).ConfigureAwait(false))
        {
            if (!TryAdd(file, found, parity))
            {
                others++;
                renamed.AddRange(VolumeName.RenamedFrom(file.Name) is null ? [] : [file.Name]);
            }
        }

        string? hint = RenamedVolumes(found, renamed);
        List<RestoreIssue> issues = hint is null ? [] : [new RestoreIssue(IssueKind.Warning, renamed[0], hint)];
        string chosen = ChoosePrefix(store, [.. found.Select(volume => volume.Name.Prefix).Distinct().Order(StringComparer.Ordinal)], prefix, others, hint);
        found.RemoveAll(volume => volume.Name.Prefix != chosen);
        VolumeSet volumes = new(
            chosen, rules is null ? found : VolumeTrust.Filter(found, rules.Value, store.DisplayName, issues), issues, parity);
        return volumes.FileLists.Count > 0 || !needsFileLists
            ? volumes
            : throw new RestoreException(
                RestoreErrorCode.FileListsMissing,
                "The backup has no file list (.dlist) left, so it is not known which files its blocks belong to" + (hint is null ? "" : $". {hint}"),
                store.DisplayName);
    }

    /// <summary>The volumes of one backup among the files of a store; none of them is judged.</summary>
    public static VolumeSet Of(IEnumerable<StoredFile> files, string prefix)
    {
        List<(VolumeName Name, long SizeBytes)> found = [];
        Dictionary<string, StoredFile> parity = new(StringComparer.Ordinal);
        foreach (StoredFile file in files)
        {
            TryAdd(file, found, parity);
        }

        return new VolumeSet(prefix, found.FindAll(volume => volume.Name.Prefix == prefix), [], parity);
    }

    /// <summary>The prefixes of the backups among the files of a store.</summary>
    public static IEnumerable<string> PrefixesOf(IEnumerable<StoredFile> files) => files
        .Select(file => VolumeName.TryParse(file.Name, out VolumeName name) ? name.Prefix : null).OfType<string>().Distinct().Order(StringComparer.Ordinal);

    private static bool TryAdd(StoredFile file, List<(VolumeName Name, long SizeBytes)> found, Dictionary<string, StoredFile> parity)
    {
        if (VolumeName.TryParse(file.Name, out VolumeName name))
        {
            found.Add((name, file.SizeBytes));
            return true;
        }

        bool isParity = file.Name.EndsWith(ParitySuffix, StringComparison.OrdinalIgnoreCase);
        if (isParity)
        {
            parity[file.Name[..^ParitySuffix.Length]] = file;
        }

        return isParity;
    }

    /// <summary>Block volumes that only have their parity file left: perhaps it is enough to rebuild them.</summary>
    private IEnumerable<(VolumeName Name, long SizeBytes)> Missing(HashSet<string> present)
    {
        foreach (string volume in Parity.Keys.Where(volume => !present.Contains(volume)))
        {
            if (VolumeName.TryParse(volume, out VolumeName name) && name.Kind == VolumeKind.Block && name.Prefix == Prefix)
            {
                yield return (name, 0);
            }
        }
    }

    public VolumeSet Without(Predicate<string> isGone) => new(
        Prefix,
        [.. All.Where(volume => !volume.IsMissing && !isGone(volume.FileName)).Select(volume => (volume.Name, volume.SizeBytes))],
        [.. Issues],
        Parity.Where(parity => !isGone(parity.Key)).ToDictionary(StringComparer.Ordinal));

    public Volume? Find(string fileName) => byName.GetValueOrDefault(fileName);

    /// <summary>Deletes a volume, and after it its parity file.</summary>
    public async Task DeleteAsync(RetryingSink sink, string fileName, CancellationToken cancellationToken)
    {
        await sink.DeleteAsync(fileName, cancellationToken).ConfigureAwait(false);
        if (Parity.TryGetValue(fileName, out StoredFile parity))
        {
            await sink.DeleteAsync(parity.Name, cancellationToken).ConfigureAwait(false);
        }
    }

    /// <summary>The block volume that an index means by a name: the one with that name, else the one with that guid and another suffix, else null.</summary>
    public Volume? FindBlocks(string fileName)
    {
        if (byName.TryGetValue(fileName, out Volume? volume))
        {
            return volume.Name.Kind == VolumeKind.Block ? volume : null;
        }

        return VolumeName.TryParse(fileName, out VolumeName name) && name.Kind == VolumeKind.Block ? byGuid.GetValueOrDefault(name.Guid) : null;
    }

    /// <summary>What to do with files that have the name of a volume, which is not there, in theirs; null if there are none.</summary>
    private static string? RenamedVolumes(List<(VolumeName Name, long SizeBytes)> found, List<string> renamed)
    {
        HashSet<string> present = new(found.Select(volume => volume.Name.Name), StringComparer.OrdinalIgnoreCase);
        renamed.RemoveAll(name => present.Contains(VolumeName.RenamedFrom(name)!));
        return renamed.Count switch
        {
            0 => null,
            1 => $"1 file looks like a volume that was renamed: {renamed[0]}; rename it back",
            int count => $"{count} files look like volumes that were renamed, such as {renamed[0]}; rename them back",
        };
    }

    private static string ChoosePrefix(IVolumeStore store, List<string> prefixes, string? wanted, int others, string? hint)
    {
        if (prefixes.Count == 0)
        {
            throw new RestoreException(
                RestoreErrorCode.BackupNotFound,
                hint ?? others switch
                {
                    0 => "There is no file in the folder",
                    1 => "The only file in the folder is not a volume of a Duplicati backup",
                    _ => $"None of the {others} files in the folder is a volume of a Duplicati backup",
                },
                store.DisplayName);
        }

        string known = string.Join(", ", prefixes);
        if (wanted is null)
        {
            return prefixes.Count == 1
                ? prefixes[0]
                : throw new RestoreException(RestoreErrorCode.SeveralBackups, $"The folder holds {prefixes.Count} backups: {known}", store.DisplayName);
        }

        return prefixes.Contains(wanted)
            ? wanted
            : throw new RestoreException(RestoreErrorCode.PrefixNotFound, $"There is no backup with the prefix {wanted}, only: {known}", store.DisplayName);
    }
}
