using Restore.Planning.Saving;
using Restore.Planning.Scanning;
using Restore.Restoring;

namespace Restore.Shards;

/// <summary>A file that a part restored, and that is not as the part left it.</summary>
internal sealed record ChangedFile(EntryId Entry, string Path, int Part, bool IsGone);

/// <summary>
/// The files of the parts of a split plan at the target. A part notes the time of each file when it
/// has ended. Later, a file that does not exist is gone; a file with another size or time is read
/// and compared with its hash.
/// </summary>
internal sealed class RestoredFiles(RestorePlan plan, PlanSplit split, IRestoreTarget target)
{
    // A file that is wrong and was reported as wrong; and a file that the part took for right,
    // although it is wrong.
    private const long Reported = 0;
    private const long NotRight = 1;

    private readonly VersionContent content = plan.Pass.Content;

    public NotedFiles Note(int part, PartResult result)
    {
        EntryId[] files = [.. Files().Where(entry => split.OnlyPartOf(entry) == part)];
        HashSet<string> lost =
        [
            .. result
                .Report.Issues.Where(issue => issue.Kind is not IssueKind.Warning and not IssueKind.Metadata)
                .Select(issue => issue.Path),
        ];
        return new NotedFiles(
            [.. files.Select(TimeOf)],
            [
                .. from entry in files
                where result.PlaceOf(entry) != plan.Pass.Entries.TargetPath(entry)
                select new SavedName(entry, result.PlaceOf(entry)),
            ]
        );

        long TimeOf(EntryId entry) =>
            lost.Contains(content.PathText(entry)) ? Reported
            : target.Inspect(result.PlaceOf(entry)) is var status && IsRight(entry, status)

                // The two smallest numbers have a meaning of their own, so a real time is larger.
                ? Math.Max(status.ModifiedTicks, NotRight + 1)
            : NotRight;
    }

    public bool IsAnyGone(ShardRecord record, ShardIdentity identity) =>
        IsShareGone(record, identity)
        || Noted(new Dictionary<int, ShardRecord> { [record.Shard - 1] = record })
            .Any(file => file.Time != Reported && !IsThere(file.Path));

    /// <summary>Whether a file that a part wrote together with others is gone.</summary>
    public bool IsShareGone(ShardRecord record, ShardIdentity identity) =>
        record
            .Deferred.Where(entry => entry is { IsShare: true, IsStarted: true })
            .Select(entry => new EntryId(entry.Entry))
            .Any(entry =>
            {
                string path = plan.Pass.Entries.TargetPath(entry);
                return !IsThere(identity.SharedPath(path, entry)) && !IsThere(path);
            });

    /// <summary>The files that are not as their parts left them.</summary>
    /// <param name="reads">Whether all files are read, from the device where the system
    /// can.</param>
    /// <exception cref="RestoreException">No file of a part is at the target.</exception>
    public IReadOnlyList<ChangedFile> Compare(
        IReadOnlyList<ShardRecord> records,
        bool reads,
        BufferPool pool,
        CancellationToken cancellationToken
    )
    {
        List<ChangedFile> changed = [];
        using FileHasher hasher = new(content.Layout.FileHash, pool);
        foreach (
            (EntryId entry, string path, int part, long time) in Noted(records.ToDictionary(record => record.Shard - 1))
        )
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (time == Reported)
            {
                continue;
            }

            TargetStatus status = target.Inspect(path);
            if (status.Kind == TargetKind.Nothing)
            {
                changed.Add(new ChangedFile(entry, path, part, IsGone: true));
            }
            else if (
                !IsRight(entry, status)
                || (
                    (reads || status.ModifiedTicks != time)
                    && !hasher.IsAt(target, path, content, entry, fromDevice: reads)
                )
            )
            {
                changed.Add(new ChangedFile(entry, path, part, IsGone: false));
            }
        }

        return changed;
    }

    /// <summary>
    /// The parts that restored files, but have none of these files at the target.
    /// </summary>
    public IReadOnlyList<int> WhollyGone(IReadOnlyList<ShardRecord> records, IReadOnlyList<ChangedFile> changed)
    {
        ILookup<int, ChangedFile> gone = changed.Where(file => file.IsGone).ToLookup(file => file.Part);
        Dictionary<int, ShardRecord> affected = records
            .Where(record => gone.Contains(record.Shard - 1))
            .ToDictionary(record => record.Shard - 1);
        return
        [
            .. Noted(affected)
                .Where(file => file.Time != Reported)
                .CountBy(file => file.Part)
                .Where(part => part.Value == gone[part.Key].Count())
                .Select(part => part.Key),
        ];
    }

    private IEnumerable<EntryId> Files() => plan.Pass.Included().Where(content.IsFile);

    private bool IsThere(string path) => target.Inspect(path).Kind != TargetKind.Nothing;

    private bool IsRight(EntryId entry, TargetStatus status) =>
        status.Kind == TargetKind.File && status.SizeBytes == content.SizeOf(entry);

    /// <summary>
    /// The files of some parts, with the paths and times that the parts noted. If a record has
    /// fewer times than files, its times are ignored.
    /// </summary>
    private IEnumerable<(EntryId Entry, string Path, int Part, long Time)> Noted(
        IReadOnlyDictionary<int, ShardRecord> records
    )
    {
        Dictionary<int, int> next = [];
        Dictionary<int, string> places = records
            .Values.SelectMany(record => record.Places)
            .ToDictionary(place => place.Entry, place => place.Path);
        foreach (EntryId entry in Files())
        {
            if (split.OnlyPartOf(entry) is int part && records.TryGetValue(part, out ShardRecord? record))
            {
                int index = next.GetValueOrDefault(part);
                next[part] = index + 1;
                string path = places.GetValueOrDefault(entry) ?? plan.Pass.Entries.TargetPath(entry);

                // Times have no names: the n-th time of a part belongs to its n-th file in the
                // order of the plan, which the last step knows too.
                yield return (entry, path, part, index < record.Times.Length ? record.Times[index] : NotRight);
            }
        }
    }
}
