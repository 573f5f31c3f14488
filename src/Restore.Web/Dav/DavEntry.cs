namespace Restore.Web.Dav;

/// <summary>A resource of the WebDAV tree.</summary>
/// <param name="Path">The names from the root of the tree on.</param>
/// <param name="Served">The entry of the version; null for folders that no version has.</param>
/// <param name="Version">The version; null above all versions.</param>
/// <param name="Time">When it changed; null if unknown.</param>
internal sealed record DavEntry(IReadOnlyList<string> Path, ServedEntry? Served, BackupVersion? Version, DateTimeOffset? Time)
{
    public bool IsFolder => Served is null or { IsFolder: true };

    public bool IsFile => Served?.Content?.Kind == BackupEntryKind.File;
}
