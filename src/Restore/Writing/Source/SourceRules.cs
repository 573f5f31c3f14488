namespace Restore.Writing.Source;

/// <summary>Which entries of the sources are taken. Not safe for concurrent use.</summary>
internal sealed class SourceRules(BackupWriterOptions options)
{
    private readonly HashSet<(ulong Device, ulong File)> seen = [];
    private readonly HashSet<string> followed = new(StringComparer.Ordinal);

    /// <summary>The status of what a link leads to, if links are followed; null if it leads nowhere.</summary>
    /// <exception cref="IOException">What it leads to cannot be looked at.</exception>
    /// <exception cref="UnauthorizedAccessException">Access to it is denied.</exception>
    public SourceStatus? Follow(string path, SourceStatus status)
    {
        if (status.Kind != EntryKind.Symlink || options.Symlinks != SymlinkPolicy.Follow)
        {
            return status;
        }

        return SourceStatus.ReadBehind(path) is not { } there ? null
            : there.Kind == EntryKind.Folder && Directory.ResolveLinkTarget(path, returnFinalTarget: true) is { } target && !IsSafe(path, target.FullName)
            ? status : there;
    }

    /// <summary>
    /// Sources are taken whatever they are, but for files that are too long, and what no include matches. With includes alone Duplicati takes links to folders
    /// as it looks into folders, whatever the includes are, and so they are taken here.
    /// </summary>
    public bool Takes(in SourceEntry entry, bool isSource)
    {
        SourceStatus status = entry.Status;
        if (isSource)
        {
            return !IsTooLong(entry) && (!options.Filter.HasOnlyIncludes || options.Filter.Matches(entry.ListedPath));
        }

        return !(entry.Kind == EntryKind.Symlink && options.Symlinks == SymlinkPolicy.Ignore)
            && (status.Attributes & options.ExcludedAttributes) == 0
            && !IsTooLong(entry)
            && (options.Filter.Matches(entry.ListedPath) || (status.IsLinkToFolder && options.Filter.HasOnlyIncludes))
            && TakesName(entry.Kind, status);
    }

    /// <summary>Whether to look into a folder that is not taken: with includes alone, as in Duplicati, what they match can be below.</summary>
    public bool LooksInto(in SourceEntry entry) =>
        entry.Kind == EntryKind.Folder && options.Filter.HasOnlyIncludes && (entry.Status.Attributes & options.ExcludedAttributes) == 0;

    /// <summary>Whether a folder can be followed: not the one in which the link is, and none twice, or the walk would not end.</summary>
    private bool IsSafe(string link, string folder)
    {
        string inside = Path.TrimEndingDirectorySeparator(folder) + Path.DirectorySeparatorChar;
        return !link.StartsWith(inside, StringComparison.Ordinal) && followed.Add(folder);
    }

    /// <summary>Whether it is longer than files may be.</summary>
    private bool IsTooLong(in SourceEntry entry) => entry.Kind == EntryKind.File && entry.Status.SizeBytes > options.MaxFileSizeBytes;

    private bool TakesName(EntryKind kind, in SourceStatus status) => kind != EntryKind.File || status.Names <= 1 || options.Hardlinks switch
    {
        HardlinkPolicy.First => seen.Add(status.Identity),
        HardlinkPolicy.None => false,
        _ => true,
    };
}

internal readonly record struct SourceEntry(string Path, EntryKind Kind, SourceStatus Status)
{
    /// <summary>The source from which no link leads to it; null if links are followed.</summary>
    public SourceRoot? Source { get; init; }

    /// <summary>Whether it is what a link at its path leads to: links are followed, or it is a source that was named as a folder.</summary>
    public bool IsFollowed { get; init; }

    /// <summary>The path as the file list has it: a folder ends with the separator, and so does a link to one.</summary>
    public string ListedPath => Kind == EntryKind.Folder || Status.IsLinkToFolder
        ? System.IO.Path.TrimEndingDirectorySeparator(Path) + System.IO.Path.DirectorySeparatorChar
        : Path;
}
