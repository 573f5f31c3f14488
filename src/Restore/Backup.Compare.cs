using Restore.Diff;

namespace Restore;

/// <content>Versions compared with each other and with what is on disk.</content>
public partial class Backup
{
    /// <summary>
    /// Compares two versions by their file lists, in the order of paths. Reads nothing else. Holds
    /// in memory the older list (about 110 bytes and the name for each entry) and the differences
    /// of the newer one.
    /// </summary>
    /// <param name="older">One of <see cref="Versions"/>: the side that entries are removed
    /// from.</param>
    /// <param name="newer">One of <see cref="Versions"/>: the side that entries are added
    /// to.</param>
    /// <param name="filter">Selects entries; null selects all.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="RestoreException">A file list cannot be read, or the passphrase is wrong.
    /// If a list is incomplete, this is thrown after the differences: what it lacks is among them.
    /// </exception>
    public virtual async IAsyncEnumerable<EntryDifference> CompareAsync(
        BackupVersion older,
        BackupVersion newer,
        EntryFilter? filter = null,
        [EnumeratorCancellation] CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(older);
        ArgumentNullException.ThrowIfNull(newer);
        IssueLog issues = new();
        VersionComparison comparison = new(issues);
        await Session
            .Catalog.PassAsync(older, filter ?? EntryFilter.All, comparison.AddOlder, issues, cancellationToken)
            .ConfigureAwait(false);
        await Session
            .Catalog.PassAsync(newer, filter ?? EntryFilter.All, comparison.AddNewer, issues, cancellationToken)
            .ConfigureAwait(false);
        Log.Issues(Session.Logger, issues.ToList());
        foreach (EntryDifference difference in comparison.Differences())
        {
            cancellationToken.ThrowIfCancellationRequested();
            yield return difference;
        }

        RequireComplete(issues);
    }

    /// <summary>
    /// Compares a version with a folder as a restore into it would map the paths: files of the same
    /// size are read and hashed, times are compared to the second, and the targets of links are not
    /// compared. Writes nothing and follows no link.
    /// </summary>
    /// <param name="version">One of <see cref="Versions"/>: the older side.</param>
    /// <param name="options">The folder (<see cref="RestoreOptions.Target"/>; null for the original
    /// places), the filter, and how paths are mapped; <see cref="RestoreOptions.TrustTimes"/> takes
    /// files of the same size and time as the same without reading them.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The differences in the order of paths, then the entries that only the folder has;
    /// not these with a filter or without a folder.</returns>
    /// <exception cref="RestoreException">The file list or the folder cannot be read, or the
    /// passphrase is wrong.</exception>
    public virtual async IAsyncEnumerable<EntryDifference> CompareFolderAsync(
        BackupVersion version,
        RestoreOptions options,
        [EnumeratorCancellation] CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(version);
        ArgumentNullException.ThrowIfNull(options);
        await foreach (
            EntryDifference difference in FolderComparison
                .RunAsync(Session, version, options, StateOf, cancellationToken)
                .ConfigureAwait(false)
        )
        {
            yield return difference;
        }
    }
}
