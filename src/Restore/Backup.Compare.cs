using System.Runtime.CompilerServices;
using System.Text;
using Restore.Catalog;
using Restore.Restoring;

namespace Restore;

/// <content>Versions compared with each other and with what is on disk.</content>
public sealed partial class Backup
{
    /// <summary>
    /// Compares two versions by their file lists, in the order of paths. Reads nothing else. In memory are the older list, about 110 bytes and the name for
    /// each entry, and what differs from it in the newer one.
    /// </summary>
    /// <param name="older">One of <see cref="Versions"/>: the side that entries are removed from.</param>
    /// <param name="newer">One of <see cref="Versions"/>: the side that entries are added to.</param>
    /// <param name="filter">Selects entries; null selects all.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="RestoreException">A file list cannot be read, or the passphrase is wrong.</exception>
    public async IAsyncEnumerable<EntryDifference> CompareAsync(
        BackupVersion older, BackupVersion newer, EntryFilter? filter = null, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(older);
        ArgumentNullException.ThrowIfNull(newer);
        IssueLog issues = new();
        ComparedEntries before = new();
        await PassAsync(older, entry => Add(before, entry)).ConfigureAwait(false);

        // What differs in the newer one, each with its number in the older one, or -1.
        ComparedEntries after = new();
        List<(int Before, int After, EntryChange Change)> differences = [];
        await PassAsync(newer, Compare).ConfigureAwait(false);
        Log.Issues(session.Logger, issues.ToList());
        differences.AddRange(Enumerable.Range(0, before.Count).Where(entry => !before[entry].IsMet).Select(entry => (entry, -1, EntryChange.Removed)));
        byte[][] paths = [.. differences.Select(found => found.After < 0 ? before.PathOf(found.Before) : after.PathOf(found.After))];
        int[] order = [.. Enumerable.Range(0, paths.Length)];
        Array.Sort(order, (left, right) => paths[left].AsSpan().SequenceCompareTo(paths[right]));
        foreach (int place in order)
        {
            cancellationToken.ThrowIfCancellationRequested();
            (int left, int right, EntryChange change) = differences[place];
            yield return new EntryDifference(
                Encoding.UTF8.GetString(paths[place]), change, left < 0 ? null : before.StateOf(left), right < 0 ? null : after.StateOf(right));
        }

        Task PassAsync(BackupVersion version, Action<EntryInList> receive) =>
            session.Catalog.PassAsync(version, filter ?? EntryFilter.All, receive, issues, cancellationToken);

        bool Add(ComparedEntries entries, in EntryInList entry)
        {
            if (entries.Find(entry.Path) >= 0)
            {
                return false;
            }

            bool isTaken = entries.TryAdd(entry);
            if (!isTaken)
            {
                issues.Add(PathBudget.Refusal(entry.Path));
            }

            return isTaken;
        }

        void Compare(EntryInList entry)
        {
            int known = before.Find(entry.Path);
            bool isFirst = known < 0 || !before[known].IsMet;
            EntryChange? change = known < 0 ? EntryChange.Added : before.ChangeTo(known, entry);
            if (known >= 0)
            {
                before[known].IsMet = true;
            }

            if (isFirst && change is EntryChange differs && Add(after, entry))
            {
                differences.Add((known, after.Count - 1, differs));
            }
        }
    }

    /// <summary>
    /// Compares a version with a folder as a restore into it would map the paths: files of the same size by reading and hashing them, times to the second, the
    /// targets of links not at all. Nothing is written, and no link is followed.
    /// </summary>
    /// <param name="version">One of <see cref="Versions"/>: the older side.</param>
    /// <param name="options">The folder (<see cref="RestoreOptions.Target"/>; null for the original places), the filter, and how paths are mapped;
    /// <see cref="RestoreOptions.TrustTimes"/> takes files of the same size and time as the same without reading them.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>The differences in the order of paths, then the entries that only the folder has; not these with a filter or without a folder.</returns>
    /// <exception cref="RestoreException">The file list or the folder cannot be read, or the passphrase is wrong.</exception>
    public async IAsyncEnumerable<EntryDifference> CompareFolderAsync(
        BackupVersion version, RestoreOptions options, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(version);
        ArgumentNullException.ThrowIfNull(options);
        await foreach (EntryDifference difference in FolderComparison.RunAsync(session, version, options, StateOf, cancellationToken).ConfigureAwait(false))
        {
            yield return difference;
        }
    }
}
