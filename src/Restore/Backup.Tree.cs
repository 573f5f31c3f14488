namespace Restore;

/// <content>Versions as trees of folders.</content>
public partial class Backup
{
    // Programs do not choose by a longer extension.
    private const int LongestExtension = 16;

    /// <summary>
    /// The name of a version as a folder: its time, UTC, such as <c>2026-01-31T12-00-00Z</c>. It
    /// sorts by time and has no character that a system refuses.
    /// </summary>
    public static string FolderNameOf(BackupVersion version)
    {
        ArgumentNullException.ThrowIfNull(version);
        return version.Time.UtcDateTime.ToString("yyyy-MM-dd'T'HH-mm-ss'Z'", CultureInfo.InvariantCulture);
    }

    /// <summary>Opens the entries of a version as a tree of folders. Reads the file list.</summary>
    /// <param name="version">One of <see cref="Versions"/>.</param>
    /// <param name="memory">Keeps the blocks of files; other trees, also of other backups, can
    /// share it.</param>
    /// <param name="paths">The paths of several versions: the tree has their nodes, and adds the
    /// paths that are not there. It holds the gate while it does so. Null for a tree of its own,
    /// with names that a file system accepts.</param>
    /// <param name="cancellationToken">Cancels the opening.</param>
    /// <returns>The tree; dispose it before the backup.</returns>
    /// <exception cref="RestoreException">The file list cannot be read, or the passphrase is
    /// wrong.</exception>
    public virtual Task<BackupTree> OpenTreeAsync(
        BackupVersion version,
        BlockMemory memory,
        PathTree? paths = null,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(version);
        ArgumentNullException.ThrowIfNull(memory);
        return RestoreTelemetry.WatchAsync(
            "OpenTree",
            _ =>
                BackupTree.OpenAsync(
                    cancellation => Session.Catalog.ReadAsync(version, EntryFilter.All, observer: null, cancellation),
                    null,
                    OpenAccess,
                    memory,
                    paths,
                    cancellationToken
                )
        );
    }

    /// <summary>
    /// Opens the entries of all versions as one tree: each file and link is a folder with its
    /// states, one for each time that it changed, named by the time of the first version that has
    /// the state. A folder has the state of its newest version. Versions with an unreadable file
    /// list are left out.
    /// </summary>
    /// <param name="memory">Keeps the blocks of files.</param>
    /// <param name="cancellationToken">Cancels the opening.</param>
    /// <returns>The tree; dispose it before the backup.</returns>
    /// <exception cref="RestoreException">No file list can be read, or the passphrase is
    /// wrong.</exception>
    public virtual Task<BackupTree> OpenHistoryTreeAsync(
        BlockMemory memory,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(memory);
        return RestoreTelemetry.WatchAsync(
            "OpenHistoryTree",
            _ =>
                BackupTree.OpenAsync(
                    ReadAllAsync,
                    (content, entry) => StateName(content, entry),
                    OpenAccess,
                    memory,
                    null,
                    cancellationToken
                )
        );
    }

    /// <summary>
    /// Whether another opened backup lists the same volumes as this one: if so, opening it again
    /// has shown nothing new.
    /// </summary>
    public virtual bool HasVolumesOf(Backup other)
    {
        ArgumentNullException.ThrowIfNull(other);
        return Session
            .Volumes.All.Select(volume => (volume.FileName, volume.SizeBytes))
            .SequenceEqual(other.Session.Volumes.All.Select(volume => (volume.FileName, volume.SizeBytes)));
    }

    private async Task<VersionContent> ReadAllAsync(CancellationToken cancellationToken)
    {
        List<RestoreIssue> issues = [];
        VersionContent content = await MergedVersions
            .ReadAsync(Session.Catalog, Versions, EntryFilter.All, observer: null, issues.Add, cancellationToken)
            .ConfigureAwait(false);
        content.Issues.AddRange(issues);
        return content;
    }

    /// <summary>
    /// The time of the oldest version of a state, with the extension of the file, so that programs
    /// still know what it is.
    /// </summary>
    private string StateName(VersionContent content, EntryId entry)
    {
        byte[] buffer = [];
        ReadOnlySpan<byte> path = content.PathOf(entry, ref buffer);
        ReadOnlySpan<byte> name = path[(path.LastIndexOfAny((byte)'/', (byte)'\\') + 1)..];
        int dot = name.LastIndexOf((byte)'.');
        bool hasExtension = dot > 0 && name.Length - dot <= LongestExtension;
        return FolderNameOf(Versions[content.Spans[entry].Oldest])
            + (hasExtension ? Encoding.UTF8.GetString(name[dot..]) : "");
    }
}
