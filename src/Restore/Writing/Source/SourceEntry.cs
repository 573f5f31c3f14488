using Restore.Format;

namespace Restore.Writing.Source;

/// <summary>An entry found in a source.</summary>
/// <param name="Path">Its full path, without a separator at the end.</param>
/// <param name="Kind">Its kind.</param>
/// <param name="Status">Its status in the file system.</param>
internal readonly record struct SourceEntry(string Path, EntryKind Kind, SourceStatus Status)
{
    /// <summary>The path as the file list has it: a folder ends with the separator, and so does a link to one.</summary>
    public string ListedPath => Kind == EntryKind.Folder || Status.IsLinkToFolder
        ? System.IO.Path.TrimEndingDirectorySeparator(Path) + System.IO.Path.DirectorySeparatorChar
        : Path;
}
