using System.Runtime.CompilerServices;
using Restore.Catalog;
using Restore.Restoring;

namespace Restore;

/// <content>Versions compared with each other and with what is on disk.</content>
public sealed partial class Backup
{
    /// <summary>
    /// Compares two versions by their file lists, in the order of paths. Reads nothing else. Both lists are in memory, about 170 bytes and the name for each
    /// entry; the differences are made one by one.
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
        EntriesByPath left = await ReadSortedAsync(older, filter, cancellationToken).ConfigureAwait(false);
        EntriesByPath right = await ReadSortedAsync(newer, filter, cancellationToken).ConfigureAwait(false);
        long steps = 0;
        while (left.HasMore || right.HasMore)
        {
            if (++steps % 4096 == 0)
            {
                cancellationToken.ThrowIfCancellationRequested();
            }

            int order = !left.HasMore ? 1 : !right.HasMore ? -1 : left.Path.SequenceCompareTo(right.Path);
            EntryChange? change = order < 0 ? EntryChange.Removed : order > 0 ? EntryChange.Added : ChangeOf(left, right);
            if (change is EntryChange differs)
            {
                yield return new EntryDifference(
                    (order <= 0 ? left : right).PathText,
                    differs,
                    order <= 0 ? StateOf(left.Content, left.Current) : null,
                    order >= 0 ? StateOf(right.Content, right.Current) : null);
            }

            if (order <= 0)
            {
                left.MoveNext();
            }

            if (order >= 0)
            {
                right.MoveNext();
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

    private static EntryChange? ChangeOf(EntriesByPath older, EntriesByPath newer)
    {
        EntryRow left = older.Content.Entries[older.Current];
        EntryRow right = newer.Content.Entries[newer.Current];
        return left.Kind != right.Kind || older.Content.SizeOf(older.Current) != newer.Content.SizeOf(newer.Current)
                || !BackupEntry.HashOf(older.Content, older.Current).SequenceEqual(BackupEntry.HashOf(newer.Content, newer.Current)) ? EntryChange.Changed
            : left.TimeTicks != right.TimeTicks
                || !MetadataHashOf(older.Content, left).SequenceEqual(MetadataHashOf(newer.Content, right)) ? EntryChange.Metadata
            : null;
    }

    private static ReadOnlySpan<byte> MetadataHashOf(VersionContent content, in EntryRow row) =>
        row.Metadata.IsNone || !content.HasFileHash(row.Metadata) ? [] : content.FileHashOf(row.Metadata);

    private async Task<EntriesByPath> ReadSortedAsync(BackupVersion version, EntryFilter? filter, CancellationToken cancellationToken) =>
        new(await session.Catalog.ReadAsync(version, filter ?? EntryFilter.All, observer: null, cancellationToken).ConfigureAwait(false));
}
