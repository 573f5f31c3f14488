namespace Restore.Volumes;

/// <summary>
/// Recognizes the files of a folder as volumes, even under names that stores, sync programs and
/// cloud clients give them.
/// </summary>
internal sealed class VolumeListing
{
    private const string ParitySuffix = ".par2";

    // A real folder has fewer backups, and fewer odd names beside them. The limits bound what the
    // listing of a hostile store can cost.
    private const int MaxPrefixes = 16;
    private const int MaxOddNames = 20_000;

    private readonly List<ListedVolume> copies = [];
    private readonly List<(StoredFile File, StoredName Name)> stray = [];
    private readonly List<RestoreIssue> issues = [];
    private readonly VolumeDoubts doubts = new();
    private readonly HashSet<string> marked = new(StringComparer.Ordinal);
    private int oddNames;

    public List<ListedVolume> Volumes { get; private set; } = [];

    /// <summary>Parity files by the names of their volumes.</summary>
    public Dictionary<string, StoredFile> Parity { get; } = new(StringComparer.Ordinal);

    /// <summary>Copies that may serve if a volume is damaged, by its name in the store.</summary>
    public Dictionary<string, ListedVolume> Spares { get; } = new(StringComparer.Ordinal);

    /// <summary>All copies of volumes, by the names of these in the store.</summary>
    public Dictionary<string, List<string>> Copies { get; } = new(StringComparer.Ordinal);

    /// <summary>Files that are not volumes, nor belong to one.</summary>
    public int Others { get; private set; }

    /// <summary>What the user can do about files that stand for missing volumes.</summary>
    public IReadOnlyList<RestoreIssue> Issues => issues;

    public IEnumerable<string> Prefixes =>
        Volumes.Select(volume => volume.Name.Prefix).Distinct().Order(StringComparer.Ordinal);

    /// <param name="store">The store.</param>
    /// <param name="wanted">The prefix that the user asks for, however odd; null for none.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public static async Task<VolumeListing> ReadAsync(
        IVolumeStore store,
        string? wanted,
        CancellationToken cancellationToken
    )
    {
        VolumeListing listing = new();
        await foreach (StoredFile file in store.ListAsync(cancellationToken).ConfigureAwait(false))
        {
            listing.Add(file, wanted);
        }

        listing.Complete(wanted);
        return listing;
    }

    public static VolumeListing Of(IEnumerable<StoredFile> files, string? wanted = null)
    {
        VolumeListing listing = new();
        foreach (StoredFile file in files)
        {
            listing.Add(file, wanted);
        }

        listing.Complete(wanted);
        return listing;
    }

    /// <summary>The same without the parity files and spares of volumes that are gone.</summary>
    public VolumeListing Without(Predicate<string> isGone)
    {
        VolumeListing left = new() { Volumes = Volumes.FindAll(volume => !isGone(volume.Name.Name)), Others = Others };
        foreach ((string volume, StoredFile file) in Parity.Where(parity => !isGone(parity.Key)))
        {
            left.Parity.Add(volume, file);
        }

        foreach ((string volume, ListedVolume spare) in Spares.Where(spare => !isGone(spare.Key)))
        {
            left.Spares.Add(volume, spare);
        }

        foreach ((string volume, List<string> names) in Copies.Where(copy => !isGone(copy.Key)))
        {
            left.Copies.Add(volume, names);
        }

        left.doubts.AddRange(doubts);
        left.marked.UnionWith(marked);
        return left;
    }

    /// <summary>
    /// The files that may be volumes of a backup, also those beside volumes that are there.
    /// </summary>
    public IEnumerable<VolumeDoubt> Strange(string prefix) =>
        doubts.Of(prefix, Prefixes.Where(one => !marked.Contains(one)));

    private void Add(StoredFile file, string? wanted)
    {
        if (file.Name.EndsWith(ParitySuffix, StringComparison.OrdinalIgnoreCase))
        {
            Parity[file.Name[..^ParitySuffix.Length]] = file;
            return;
        }

        if (wanted is not null && VolumeName.TryParse(file.Name, out VolumeName exact) && exact.Prefix == wanted)
        {
            Volumes.Add(ListedVolume.Of(exact, file));
            return;
        }

        StoredName name = StoredName.Read(file.Name, isOddRead: oddNames < MaxOddNames);
        oddNames += name.Kind == StoredNameKind.Volume ? 0 : 1;
        switch (name.Kind)
        {
            case StoredNameKind.Volume:
                Volumes.Add(ListedVolume.Of(name.Volume, file));
                break;
            case StoredNameKind.Copy when file.SizeBytes > 0:
                copies.Add(ListedVolume.Of(name.Volume, file));
                break;
            case StoredNameKind.Other:
                Others++;
                doubts.Add(file, name);
                break;
            default:
                Others++;
                doubts.Add(file, name);
                stray.Add((file, name));
                break;
        }
    }

    /// <summary>Decides what belongs together, once all names are known.</summary>
    private void Complete(string? wanted)
    {
        JoinPrefixes(wanted);
        TakeMarkedLists(wanted);
        Volumes.Sort((a, b) => string.CompareOrdinal(a.Name.Name, b.Name.Name));
        copies.Sort((a, b) => string.CompareOrdinal(a.Name.Name, b.Name.Name));
        TakeCopies();
        DescribeStray();
    }

    /// <summary>
    /// Joins prefixes that differ only in case into one backup, unless several of them have file
    /// lists under names that Duplicati could have given. A longer prefix ("My copy of duplicati")
    /// with volumes of the same identity is a copy.
    /// </summary>
    private void JoinPrefixes(string? wanted)
    {
        Dictionary<string, string> renamed = new(StringComparer.Ordinal);
        HashSet<string> written =
        [
            .. Volumes.Where(volume => IsWritten(volume.Name)).Select(volume => volume.Name.Prefix),
        ];
        foreach (
            IGrouping<string, string> same in Prefixes
                .Concat(copies.Select(copy => copy.Name.Prefix))
                .Distinct()
                .GroupBy(prefix => prefix, StringComparer.OrdinalIgnoreCase)
        )
        {
            string[] own = [.. same.Where(written.Contains)];
            string? target =
                own.Length > 1
                    ? null
                    : own.FirstOrDefault()
                        ?? (same.Contains(wanted) ? wanted : same.Order(StringComparer.Ordinal).Last());
            foreach (
                string other in same.Where(prefix => target is not null && prefix != target && !own.Contains(prefix))
            )
            {
                renamed[other] = target!;
            }
        }

        if (renamed.Count > 0)
        {
            Volumes = Volumes.ConvertAll(volume => Under(volume, renamed.GetValueOrDefault(volume.Name.Prefix)));
            List<ListedVolume> joined = copies.ConvertAll(copy =>
                Under(copy, renamed.GetValueOrDefault(copy.Name.Prefix))
            );
            copies.Clear();
            copies.AddRange(joined);
        }

        TakeLongerPrefixes(wanted);
    }

    private void TakeLongerPrefixes(string? wanted)
    {
        string[] prefixes = [.. Prefixes.Take(MaxPrefixes)];
        if (prefixes.Length < 2)
        {
            return;
        }

        HashSet<string> identities = [.. Volumes.Select(volume => volume.Identity)];
        foreach (string longer in prefixes.Where(prefix => prefix != wanted))
        {
            foreach (
                string prefix in prefixes.Where(prefix =>
                    prefix != longer && longer.EndsWith(prefix, StringComparison.OrdinalIgnoreCase)
                )
            )
            {
                ListedVolume[] same =
                [
                    .. Volumes.Where(volume =>
                        volume.Name.Prefix == longer
                        && volume.Name.Kind != VolumeKind.FileList
                        && identities.Contains(Under(volume, prefix).Identity)
                    ),
                ];
                if (same.Length > 0)
                {
                    copies.AddRange(
                        Volumes.Where(volume => volume.Name.Prefix == longer).Select(volume => Unmarked(volume, prefix))
                    );
                    Volumes.RemoveAll(volume => volume.Name.Prefix == longer);
                }
            }
        }
    }

    /// <summary>
    /// A list with a mark before its name is a copy of the list that has the name. Without that
    /// one it may be of another backup, so it is no version, and only stops changes. If the user
    /// names the prefix, all other prefixes stay what they are.
    /// </summary>
    private void TakeMarkedLists(string? wanted)
    {
        Dictionary<string, string> own = MarkedLists.PrefixesOf(Volumes, wanted);
        if (own.Count == 0)
        {
            return;
        }

        marked.UnionWith(own.Keys);
        HashSet<string> identities = [.. Volumes.Select(volume => volume.Identity)];
        foreach (ListedVolume list in Volumes.Where(volume => own.ContainsKey(volume.Name.Prefix)))
        {
            ListedVolume unmarked = Unmarked(list, own[list.Name.Prefix]);
            if (wanted is null && identities.Contains(unmarked.Identity))
            {
                copies.Add(unmarked);
                continue;
            }

            StoredFile file = new(list.Name.Name, list.SizeBytes);
            StoredName name = new(StoredNameKind.Renamed, unmarked.Name);
            doubts.Add(file, name);
            stray.Add((file, name));
        }

        if (wanted is null)
        {
            Volumes.RemoveAll(volume => own.ContainsKey(volume.Name.Prefix));
        }
    }

    /// <summary>A copy takes the place of a volume that is not there; others are spares.</summary>
    private void TakeCopies()
    {
        Dictionary<string, ListedVolume> chosen = [];
        List<ListedVolume> kept = [];
        foreach (ListedVolume volume in Volumes.OrderBy(volume => IsInOtherLetters(volume.Name)))
        {
            Take(volume, isCopy: false);
        }

        foreach (ListedVolume copy in copies)
        {
            Take(copy, isCopy: true);
        }

        Volumes = kept;

        void Take(ListedVolume volume, bool isCopy)
        {
            if (chosen.TryGetValue(volume.Identity, out ListedVolume first))
            {
                Spares.TryAdd(first.Name.Name, volume);
                if (!Copies.TryGetValue(first.Name.Name, out List<string>? names))
                {
                    Copies.Add(first.Name.Name, names = []);
                }

                names.Add(volume.Name.Name);
                return;
            }

            chosen.Add(volume.Identity, volume);
            kept.Add(volume);
            if (isCopy)
            {
                issues.Add(
                    new RestoreIssue(
                        IssueKind.Warning,
                        volume.Name.Name,
                        $"{volume.Original} is not there; this copy of it is used"
                    )
                    {
                        Code = IssueCode.VolumeCopyUsed,
                    }
                );
            }
        }
    }

    private void DescribeStray()
    {
        HashSet<string> present = [.. Volumes.Select(volume => volume.Identity.ToUpperInvariant())];
        (StoredFile File, StoredName Name)[] missed =
        [
            .. stray.Where(one =>
                !present.Contains(ListedVolume.Of(one.Name.Volume, one.File).Identity.ToUpperInvariant())
            ),
        ];
        Describe(
            NamesOf(missed.Where(one => one.Name.Kind == StoredNameKind.Renamed && one.File.SizeBytes > 0))
                .Concat(VolumeDoubts.Without(doubts.Unread, Volumes).Select(doubt => doubt.FileName)),
            IssueCode.VolumeRenamed,
            (name, _) => $"1 file looks like a volume that was renamed: {name}; rename it back",
            (name, count) => $"{count:N0} files look like volumes that were renamed, such as {name}; rename them back"
        );
        Describe(
            NamesOf(missed.Where(one => one.Name.Kind == StoredNameKind.Placeholder || one.File.SizeBytes == 0)),
            IssueCode.VolumePlaceholder,
            (name, _) =>
                $"1 file stands for a volume that is not on this disk: {name}, a placeholder of a cloud's client",
            (name, count) =>
                $"{count:N0} files stand for volumes that are not on this disk, such as {name}: placeholders of a cloud's client"
        );
        Describe(
            NamesOf(missed.Where(one => one.Name.Kind == StoredNameKind.Unfinished && one.File.SizeBytes > 0)),
            IssueCode.VolumeUnfinished,
            (name, _) => $"1 file looks like a part of a volume that did not arrive whole: {name}",
            (name, count) => $"{count:N0} files look like parts of volumes that did not arrive whole, such as {name}"
        );
    }

    private static IEnumerable<string> NamesOf(IEnumerable<(StoredFile File, StoredName Name)> some) =>
        some.Where(one => one.Name.Kind != StoredNameKind.ResourceFork).Select(one => one.File.Name);

    private void Describe(
        IEnumerable<string> some,
        IssueCode code,
        Func<string, int, string> one,
        Func<string, int, string> several
    )
    {
        string[] names = [.. some.Order(StringComparer.Ordinal)];
        if (names.Length > 0)
        {
            issues.Add(
                new RestoreIssue(
                    IssueKind.Warning,
                    names[0],
                    names.Length == 1 ? one(names[0], 1) : several(names[0], names.Length)
                )
                {
                    Code = code,
                }
            );
        }
    }

    /// <summary>A volume without what stands before its prefix.</summary>
    private static ListedVolume Unmarked(ListedVolume volume, string prefix) =>
        Under(volume, prefix) with
        {
            Original = volume.Original[(volume.Name.Prefix.Length - prefix.Length)..],
        };

    private static ListedVolume Under(ListedVolume volume, string? prefix) =>
        prefix is null ? volume : volume with { Name = volume.Name with { Prefix = prefix } };

    /// <summary>
    /// Whether it is a file list under a name that Duplicati could have given it.
    /// </summary>
    private static bool IsWritten(VolumeName name) => name.Kind == VolumeKind.FileList && !IsInOtherLetters(name);

    private static bool IsInOtherLetters(VolumeName name)
    {
        string rest = name.Name[^(name.Name.Length - name.Name.LastIndexOf('-') - 1)..];
        string written =
            name.Kind == VolumeKind.FileList && rest.Length > Timestamp.Length
                ? rest[..Timestamp.Length].ToUpperInvariant() + rest[Timestamp.Length..].ToLowerInvariant()
                : rest.ToLowerInvariant();
        return rest != written;
    }
}
