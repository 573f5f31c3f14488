namespace Restore.Writing.Source;

internal readonly record struct SourceEntry(string Path, EntryKind Kind, SourceStatus Status)
{
    /// <summary>The source from which no link leads to it; null if links are followed.</summary>
    public SourceRoot? Source { get; init; }

    /// <summary>
    /// Whether it is what a link at its path leads to: links are followed, or it is a source that
    /// was named as a folder.
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
