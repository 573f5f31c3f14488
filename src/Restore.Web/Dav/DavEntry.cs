namespace Restore.Web.Dav;

/// <summary>
/// Served is null for folders that no version has, the version is null above all versions, and the
/// time is null if unknown.
/// </summary>
internal sealed record DavEntry(
    IReadOnlyList<string> Path,
    ServedEntry? Served,
    BackupVersion? Version,
    DateTimeOffset? Time
)
{
    public bool IsFolder => Served is null or { IsFolder: true };

    public bool IsFile => Served?.Content?.Kind == BackupEntryKind.File;
}
