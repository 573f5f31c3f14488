using Restore.Ends;
using Restore.Planning.Paths;
using Restore.Restoring;

namespace Restore.Diff;

/// <summary>
/// Compares a version with a folder: each entry with what is at the place where a restore would put
/// it, then what else the folder has.
/// </summary>
internal static class FolderComparison
{
    private const int BatchEntries = 256;
    private const int ReadBytes = 256 << 10;

    public static async IAsyncEnumerable<EntryDifference> RunAsync(
        RestoreSession session,
        BackupVersion version,
        RestoreOptions options,
        Func<VersionContent, EntryId, EntryState> describe,
        [EnumeratorCancellation] CancellationToken cancellationToken
    )
    {
        string root = options.Target is null ? RestoreSession.FileSystemRoot : Path.GetFullPath(options.Target);
        if (!Directory.Exists(root))
        {
            throw new RestoreException(
                RestoreErrorCode.SourceNotFound,
                "The folder to compare with does not exist",
                root
            );
        }

        PathMapper mapper = new(
            options with
            {
                Target = options.Target is null ? null : root,
            },
            TargetRules.ForThisSystem
        );
        VersionContent content = await session
            .Catalog.ReadAsync(version, options.Filter, mapper.Observe, cancellationToken)
            .ConfigureAwait(false);
        OwnThreads threads = new();
        using IRestoreTarget target = await threads.RunAsync(() => FileSystemTarget.Open(root)).ConfigureAwait(false);
        PlaceComparison places = new(content, target, mapper.Complete(), options.TrustTimes, describe);
        bool asksForMore = options.Target is not null && options.Filter.IsAll;
        HashSet<string> seen = new(StringComparer.Ordinal);
        EntriesByPath entries = new(content);
        while (entries.HasMore)
        {
            List<EntryDifference> found = await threads
                .RunAsync(() => places.Take(entries, BatchEntries, asksForMore ? seen : null, cancellationToken))
                .ConfigureAwait(false);
            foreach (EntryDifference difference in found)
            {
                yield return difference;
            }
        }

        if (!asksForMore)
        {
            yield break;
        }

        using IEnumerator<EntryDifference> others = new OtherEntries(root, seen).Find().GetEnumerator();
        while (await threads.RunAsync(others.MoveNext).ConfigureAwait(false))
        {
            cancellationToken.ThrowIfCancellationRequested();
            yield return others.Current;
        }
    }

    /// <summary>Compares entries of a version with their places, on one thread.</summary>
    private sealed class PlaceComparison(
        VersionContent content,
        IRestoreTarget target,
        PathMap map,
        bool trustsTimes,
        Func<VersionContent, EntryId, EntryState> describe
    )
    {
        public List<EntryDifference> Take(
            EntriesByPath entries,
            int count,
            HashSet<string>? seen,
            CancellationToken cancellationToken
        )
        {
            List<EntryDifference> found = [];
            for (; count > 0 && entries.HasMore; count--)
            {
                cancellationToken.ThrowIfCancellationRequested();
                string? place = map.Map(entries.PathText, content.Entries[entries.Current].Kind, out _);
                if (place is not null)
                {
                    seen?.Add(place);
                }

                if (Compare(entries.Current, place, cancellationToken) is { } difference)
                {
                    found.Add(
                        new EntryDifference(
                            entries.PathText,
                            difference.Change,
                            describe(content, entries.Current),
                            difference.State
                        )
                    );
                }

                entries.MoveNext();
            }

            return found;
        }

        private (EntryChange Change, EntryState? State)? Compare(
            EntryId entry,
            string? place,
            CancellationToken cancellationToken
        )
        {
            try
            {
                TargetStatus status =
                    place is null ? default
                    : place.Length == 0 ? new TargetStatus(TargetKind.Folder, 0, 0, 1)
                    : target.Inspect(place);
                if (status.Kind == TargetKind.Nothing)
                {
                    using ITargetFile? stream = StreamPlaces.TryOpen(target, map, content.PathText(entry));
                    return stream is null ? (EntryChange.Removed, null)
                        : IsSame(stream, entry, cancellationToken) ? null
                        : (EntryChange.Changed, null);
                }

                EntryRow row = content.Entries[entry];
                TargetKind expected =
                    row.Kind.IsFile() ? TargetKind.File
                    : row.Kind == EntryKind.Folder ? TargetKind.Folder
                    : TargetKind.Symlink;
                if (status.Kind != expected)
                {
                    return (EntryChange.Changed, StateOf(status, ""));
                }

                if (expected != TargetKind.File)
                {
                    return null;
                }

                // A file list has whole seconds.
                bool isTimeRight =
                    row.TimeTicks != 0
                    && row.TimeTicks / TimeSpan.TicksPerSecond == status.ModifiedTicks / TimeSpan.TicksPerSecond;
                if (status.SizeBytes != content.SizeOf(entry))
                {
                    return (EntryChange.Changed, StateOf(status, ""));
                }

                bool isRead = !(trustsTimes && isTimeRight) && content.HasFileHash(row.Content);
                string hash = isRead ? HashOf(place!, status.SizeBytes, cancellationToken) : "";
                return isRead && hash != Convert.ToHexStringLower(content.FileHashOf(row.Content))
                        ? (EntryChange.Changed, StateOf(status, hash))
                    : row.TimeTicks != 0 && !isTimeRight ? (EntryChange.Metadata, StateOf(status, hash))
                    : null;
            }
            catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
            {
                return (EntryChange.Unknown, null);
            }
        }

        /// <summary>A stream has no time of its own.</summary>
        private bool IsSame(ITargetFile stream, EntryId entry, CancellationToken cancellationToken)
        {
            ContentId recorded = content.Entries[entry].Content;
            return stream.Length == content.SizeOf(entry)
                && (
                    !content.HasFileHash(recorded)
                    || HashOf(stream, stream.Length, cancellationToken)
                        == Convert.ToHexStringLower(content.FileHashOf(recorded))
                );
        }

        private string HashOf(string place, long sizeBytes, CancellationToken cancellationToken)
        {
            using ITargetFile file = target.OpenFile(place, TargetOpenMode.Read);
            return HashOf(file, sizeBytes, cancellationToken);
        }

        private string HashOf(ITargetFile file, long sizeBytes, CancellationToken cancellationToken)
        {
            using IncrementalHash hash = IncrementalHash.CreateHash(content.Layout.FileHash.AlgorithmName());
            byte[] buffer = new byte[(int)Math.Min(ReadBytes, Math.Max(1, sizeBytes))];
            int read;
            for (long offset = 0; offset < sizeBytes && (read = file.Read(offset, buffer)) > 0; offset += read)
            {
                cancellationToken.ThrowIfCancellationRequested();
                hash.AppendData(buffer, 0, read);
            }

            return Convert.ToHexStringLower(hash.GetHashAndReset());
        }

        private static EntryState StateOf(TargetStatus status, string hash) =>
            new(
                status.Kind switch
                {
                    TargetKind.Folder => BackupEntryKind.Folder,
                    TargetKind.Symlink => BackupEntryKind.Symlink,
                    _ => BackupEntryKind.File,
                },
                1,
                status.Kind == TargetKind.File ? status.SizeBytes : 0,
                status.ModifiedTicks > 0 ? new DateTimeOffset(status.ModifiedTicks, TimeSpan.Zero) : null,
                hash
            );
    }
}
