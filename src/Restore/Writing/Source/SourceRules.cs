namespace Restore.Writing.Source;

/// <summary>Which entries of the sources are taken. Not safe for concurrent use.</summary>
internal sealed class SourceRules(BackupWriterOptions options)
{
    private readonly HashSet<(ulong Device, ulong File)> seen = [];
    private readonly HashSet<string> followed = new(StringComparer.Ordinal);
    private readonly DecidingRule? deciding = options.Decisions is null ? null : new DecidingRule(options.Filter);

    /// <summary>
    /// The status of the target of a link, if links are followed; null if the target does not
    /// exist.
    /// </summary>
    /// <exception cref="IOException">What it leads to cannot be looked at.</exception>
    /// <exception cref="UnauthorizedAccessException">Access to it is denied.</exception>
    public SourceStatus? Follow(string path, SourceStatus status)
    {
        if (status.Kind != EntryKind.Symlink || options.Symlinks != SymlinkPolicy.Follow)
        {
            return status;
        }

        return SourceStatus.ReadBehind(path) is not { } there ? null
            : there.Kind == EntryKind.Folder
            && Directory.ResolveLinkTarget(path, returnFinalTarget: true) is { } target
            && !IsSafe(path, target.FullName)
                ? status
            : there;
    }

    /// <summary>
    /// Sources are always taken, except files that are too long, and entries that no include
    /// matches. If there are only includes, Duplicati takes links to folders in the same way as it
    /// looks into folders, regardless of the includes; so they are taken here too.
    /// </summary>
    /// <param name="entry">The entry.</param>
    /// <param name="isSource">Whether it is a source.</param>
    /// <param name="folder">The handle of its folder.</param>
    public SourceVerdict Judge(in SourceEntry entry, bool isSource, int folder)
    {
        bool isFolder = entry.Kind == EntryKind.Folder;
        if (WhatIsAgainst(entry, isSource, folder) is { } reason)
        {
            return new SourceVerdict(IsTaken: false, LooksInto: false, reason);
        }

        // With includes alone, as in Duplicati, what they match can be below a folder that is not
        // taken.
        bool looksInto = isFolder && options.Filter.HasOnlyIncludes;
        bool isTaken =
            (isSource && !options.Filter.HasOnlyIncludes)
            || options.Filter.Matches(entry.ListedPath)
            || (!isSource && entry.Status.IsLinkToFolder && options.Filter.HasOnlyIncludes);
        string? rule =
            deciding is null || (isSource && !options.Filter.HasOnlyIncludes) ? null : deciding.Of(entry.ListedPath);
        return !isTaken ? new SourceVerdict(IsTaken: false, looksInto, rule ?? "no filter takes it")
            : isSource || TakesName(entry.Kind, entry.Status)
                ? new SourceVerdict(IsTaken: true, isFolder || looksInto, rule)
            : new SourceVerdict(IsTaken: false, LooksInto: false, "it is another name of a file");
    }

    private string? WhatIsAgainst(in SourceEntry entry, bool isSource, int folder)
    {
        if (IsTooLong(entry))
        {
            return $"it has {entry.Status.SizeBytes:N0} bytes, and at most {options.MaxFileSizeBytes:N0} are taken";
        }

        return isSource ? null
            : entry.Kind == EntryKind.Symlink && options.Symlinks == SymlinkPolicy.Ignore ? "links are left out"
            : (entry.Status.Attributes & options.ExcludedAttributes) is not 0 and var excluded
                ? $"it has the attribute {excluded}"
            : entry.Kind == EntryKind.Folder && MarkerIn(entry.Path, folder) is { } marker ? $"a file {marker} is in it"
            : !options.TakeMarkedEntries && OperatingSystem.IsLinux() && LinuxSource.IsMarked(folder, entry.Path)
                ? $"it has the mark {LinuxSource.Mark}"
            : null;
    }

    /// <summary>
    /// The first file in a folder that marks it as not to be backed up. A folder in which nothing
    /// can be looked at is not marked.
    /// </summary>
    private string? MarkerIn(string path, int folder) =>
        options.MarkerFiles.FirstOrDefault(name => File.Exists(Path.Join(LinuxSource.InFolder(folder, path), name)));

    /// <summary>
    /// Whether a link to a folder can be followed. A folder that contains the link, or that was
    /// followed before, cannot, because the walk would not end.
    /// </summary>
    private bool IsSafe(string link, string folder)
    {
        string inside = Path.TrimEndingDirectorySeparator(folder) + Path.DirectorySeparatorChar;
        return !link.StartsWith(inside, StringComparison.Ordinal) && followed.Add(folder);
    }

    /// <summary>Whether it is a file above the size limit.</summary>
    private bool IsTooLong(in SourceEntry entry) =>
        entry.Kind == EntryKind.File && entry.Status.SizeBytes > options.MaxFileSizeBytes;

    private bool TakesName(EntryKind kind, in SourceStatus status) =>
        kind != EntryKind.File
        || status.Names <= 1
        || options.Hardlinks switch
        {
            HardlinkPolicy.First => seen.Add(status.Identity),
            HardlinkPolicy.None => false,
            _ => true,
        };
}
