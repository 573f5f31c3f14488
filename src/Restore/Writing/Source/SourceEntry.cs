namespace Restore.Writing.Source;

internal readonly record struct SourceEntry(string Path, EntryKind Kind, SourceStatus Status)
{
    /// <summary>The source from which no link leads to it; null if links are followed.</summary>
    public SourceRoot? Source { get; init; }

    /// <summary>
    /// Whether the entry is the target of a link at its path, because links are followed or because
    /// it is a source that was named as a folder.
    /// </summary>
    public bool IsFollowed { get; init; }

    /// <summary>
    /// The path as the file list has it: a folder ends with the separator, and so does a link to
    /// one.
    /// </summary>
    public string ListedPath =>
        Kind == EntryKind.Folder || Status.IsLinkToFolder
            ? System.IO.Path.TrimEndingDirectorySeparator(Path) + System.IO.Path.DirectorySeparatorChar
            : Path;
}
