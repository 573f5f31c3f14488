using System.Text;

namespace Restore.Web.Dav;

/// <summary>
/// The versions as folders: <c>versions</c> has one for each, and <c>latest</c> is the newest.
/// Links, which WebDAV does not know, and names that cannot be a part of an address are left out.
/// </summary>
internal sealed class DavTree(BrowseSession session)
{
    private const string Latest = "latest";
    private const string Versions = "versions";

    private readonly EntryIndex tree = session.Tree;

    /// <summary>Null if there is no such resource.</summary>
    public async Task<DavEntry?> FindAsync(string path, CancellationToken cancellationToken)
    {
        string[] parts = path.Split('/', StringSplitOptions.RemoveEmptyEntries);
        if (parts.Length == 0 || parts is [Versions])
        {
            return new DavEntry(parts, null, null, session.Backup.Versions[0].Time);
        }

        BackupVersion? version =
            parts[0] == Latest ? session.Backup.Versions[0]
            : parts[0] == Versions
                ? session.Backup.Versions.Zip(session.Names).FirstOrDefault(pair => pair.Second == parts[1]).First
            : null;
        if (version is null)
        {
            return null;
        }

        string[] below = parts[(parts[0] == Latest ? 1 : 2)..];
        if (below.Length == 0)
        {
            return new DavEntry(parts, null, version, version.Time);
        }

        await session.Lists.ReadAsync(version, cancellationToken).ConfigureAwait(false);
        return
            NodeOf(below) is TreeId node
            && ServedEntry.Find(session, version, node) is ServedEntry served
            && served.Content?.Kind != BackupEntryKind.Symlink
            ? new DavEntry(parts, served, version, Times.Of(served.Content) ?? version.Time)
            : null;
    }

    public async Task<IReadOnlyList<DavEntry>> ChildrenOfAsync(DavEntry folder, CancellationToken cancellationToken)
    {
        DateTimeOffset newest = session.Backup.Versions[0].Time;
        if (folder.Version is not BackupVersion version)
        {
            return folder.Path.Count == 0
                ?
                [
                    new DavEntry([Latest], null, session.Backup.Versions[0], newest),
                    new DavEntry([Versions], null, null, newest),
                ]
                :
                [
                    .. session.Backup.Versions.Zip(
                        session.Names,
                        (one, name) => new DavEntry([Versions, name], null, one, one.Time)
                    ),
                ];
        }

        await session.Lists.ReadAsync(version, cancellationToken).ConfigureAwait(false);
        TreeId[] children;
        lock (tree.Gate)
        {
            children = session.Views.ChildrenOf(version.Index, folder.Served?.Node, ListOrder.Name, falls: false);
        }

        List<DavEntry> found = new(children.Length);
        foreach (TreeId[] some in children.Chunk(1000))
        {
            lock (tree.Gate)
            {
                found.AddRange(some.Select(child => ChildOf(folder, version, child)).OfType<DavEntry>());
            }
        }

        return found;
    }

    private DavEntry? ChildOf(DavEntry folder, BackupVersion version, TreeId child)
    {
        string name = tree.Name(child);
        EntryVersion? content = tree.Find(child, version.Index);
        bool isServed =
            name is not ("" or "." or "..")
            && !name.Contains('/', StringComparison.Ordinal)
            && content?.Kind != BackupEntryKind.Symlink;
        return isServed
            ? new DavEntry(
                [.. folder.Path, name],
                new ServedEntry(version, child, "", content),
                version,
                Times.Of(content) ?? version.Time
            )
            : null;
    }

    private TreeId? NodeOf(string[] names)
    {
        lock (tree.Gate)
        {
            return PathTree
                .Roots.Select(root =>
                    names.Aggregate((TreeId?)root, (folder, name) => folder is TreeId above ? Find(above, name) : null)
                )
                .FirstOrDefault(node => node is not null);
        }
    }

    /// <summary>A Mac asks for names in its own form of Unicode.</summary>
    private TreeId? Find(TreeId folder, string name)
    {
        TreeId? found = tree.Paths.Find(folder, Encoding.UTF8.GetBytes(name));
        if (found is not null || Ascii.IsValid(name))
        {
            return found;
        }

        string composed = EntryPath.Composed(name).ToString();
        return tree
            .Paths.ChildrenOf(folder)
            .Select(child => (TreeId?)child)
            .FirstOrDefault(child => EntryPath.Composed(tree.Name(child!.Value)).SequenceEqual(composed));
    }
}
