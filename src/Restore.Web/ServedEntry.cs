using Microsoft.AspNetCore.Http;
using Restore.Web.Http;
using Restore.Web.Index;

namespace Restore.Web;

/// <summary>An entry of a version that a request names.</summary>
/// <param name="Version">The version.</param>
/// <param name="Node">Its node in the paths of all versions.</param>
/// <param name="Path">Its original path; that of a folder ends with a separator.</param>
/// <param name="Content">What the list has about it; null for a folder that it does not have itself.</param>
internal sealed record ServedEntry(BackupVersion Version, TreeId Node, string Path, EntryContent? Content)
{
    public bool IsFolder => Content is not { Kind: not BackupEntryKind.Folder };

    public string Name => Path.TrimEnd('/', '\\') is { Length: > 0 } path ? path[(path.LastIndexOfAny(['/', '\\']) + 1)..] : "backup";

    public string Tag => $"\"{Content?.Content ?? 0:x16}-{Content?.SizeBytes ?? 0:x}-{Content?.TimeTicks ?? 0:x}\"";

    /// <summary>Finds the entry of the version and the node that the query has; reads the list of the version first.</summary>
    public static async Task<ServedEntry> FindAsync(BrowseSession session, HttpContext context)
    {
        BackupVersion version = Query.Version(context, session.Backup);
        TreeId node = new(Query.Number(context, "id"));
        await session.Lists.ReadAsync(version, context.RequestAborted).ConfigureAwait(false);
        return Find(session, version, node) ?? throw new RequestException(StatusCodes.Status404NotFound, $"Version {version.Index} has no such entry");
    }

    /// <summary>Finds an entry of a version whose list is read.</summary>
    /// <returns>Null if the version does not have it.</returns>
    public static ServedEntry? Find(BrowseSession session, BackupVersion version, TreeId node)
    {
        EntryIndex tree = session.Tree;
        lock (tree.Gate)
        {
            if (!session.Views.Of(version.Index).Has(node))
            {
                return null;
            }

            EntryContent? content = tree.Find(node, version.Index);
            string path = tree.Paths.PathOf(node);
            bool isFolder = content is not { Kind: not BackupEntryKind.Folder };
            char separator = tree.Paths.SeparatorOf(node);
            return new ServedEntry(version, node, isFolder && !path.EndsWith(separator) ? path + separator : path, content);
        }
    }

    /// <summary>Selects this entry, and of a folder all that is below.</summary>
    public EntryFilter Filter() => EntryFilter.Parse([$"@{Path}"], [], caseSensitive: true);
}
