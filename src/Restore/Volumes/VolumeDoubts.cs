namespace Restore.Volumes;

/// <summary>
/// Collects the files of a folder that are no volumes by their names and may be volumes all the
/// same, and says which of them stand for a volume that is not there.
/// </summary>
internal sealed class VolumeDoubts
{
    private readonly List<VolumeDoubt> all = [];
    private readonly List<VolumeDoubt> unread = [];

    /// <summary>Those among them that have a part of the name of a volume only.</summary>
    public IReadOnlyList<VolumeDoubt> Unread => unread;

    public void Add(StoredFile file, StoredName name)
    {
        // What this program leaves has the name of a volume too, and is none: a lock, and an
        // upload that broke off. A file of macOS beside a volume has no data of the volume.
        if (
            name.Kind == StoredNameKind.ResourceFork
            || PartialName.IsPartial(file.Name)
            || WriterLock.IsLock(file.Name)
        )
        {
            return;
        }

        VolumeTrace? trace =
            name.Kind == StoredNameKind.Other ? VolumeTrace.Of(file.Name) : VolumeTrace.Of(name.Volume);
        if (trace is { } found)
        {
            VolumeDoubt doubt = new(file.Name, found, CodeOf(file, name.Kind));
            all.Add(doubt);
            if (name.Kind == StoredNameKind.Other)
            {
                unread.Add(doubt);
            }
        }
    }

    public void AddRange(VolumeDoubts others) => all.AddRange(others.all);

    /// <summary>
    /// All such files of one backup, also those beside volumes that are there.
    /// </summary>
    /// <param name="prefix">The prefix of the backup.</param>
    /// <param name="prefixes">The prefixes of all backups in the folder.</param>
    public IEnumerable<VolumeDoubt> Of(string prefix, IEnumerable<string> prefixes)
    {
        NameOwners owners = new(prefix, prefixes);
        return all.Where(doubt => !owners.IsOfOther(doubt.FileName))
            .OrderBy(doubt => doubt.FileName, StringComparer.Ordinal);
    }

    /// <summary>Those among some files that stand for no volume that is there.</summary>
    public static List<VolumeDoubt> Without(IEnumerable<VolumeDoubt> some, IEnumerable<ListedVolume> present)
    {
        HashSet<DateTimeOffset> times = [];
        HashSet<string> guids = new(StringComparer.OrdinalIgnoreCase);
        foreach (ListedVolume volume in present)
        {
            if (volume.Name.Kind == VolumeKind.FileList)
            {
                times.Add(volume.Name.Time);
            }
            else
            {
                guids.Add(volume.Name.Guid);
            }
        }

        return
        [
            .. some.Where(doubt =>
                doubt.Trace.Time is { } time ? !times.Contains(time) : !guids.Contains(doubt.Trace.Guid)
            ),
        ];
    }

    private static IssueCode CodeOf(StoredFile file, StoredNameKind kind) =>
        kind == StoredNameKind.Placeholder || (file.SizeBytes == 0 && kind != StoredNameKind.Other)
            ? IssueCode.VolumePlaceholder
        : kind == StoredNameKind.Unfinished ? IssueCode.VolumeUnfinished
        : IssueCode.VolumeRenamed;
}
