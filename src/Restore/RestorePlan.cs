using Restore.Planning.Paths;
using Restore.Planning.Saving;

namespace Restore;

/// <summary>
/// What a restore will do, as a value: target paths of entries, their blocks, and the volumes with
/// these blocks. It shows the costs, can be saved, loaded elsewhere and split, and
/// <see cref="Backup.ExecuteAsync"/> executes it. Immutable and safe for concurrent use.
/// </summary>
public sealed class RestorePlan
{
    /// <summary>The most parts of a plan.</summary>
    internal const int MaxShards = 4096;

    private readonly Lazy<IReadOnlyList<RestoreIssue>> issues;

    internal RestorePlan(PassPlan pass, RestoreOptions options, string location, FetchCosts costs)
    {
        Pass = pass;
        Options =
            options.Filter.IsAll && options.First.Count == 0
                ? options
                : options with
                {
                    Filter = EntryFilter.All,
                    First = [],
                };
        Location = location;
        Costs = costs;
        foreach (EntryId entry in EntryId.UpTo(pass.Entries.Count))
        {
            if (!pass.Includes(entry))
            {
                continue;
            }

            EntryKind kind = pass.Content.Entries[entry].Kind;
            long bytes = pass.BytesOf(entry);

            // An export to a folder also reads the files that are already right, to compare them.
            bool isWritten = pass.BringsContent(entry) && pass.Entries[entry] != EntryAction.Keep;
            Bytes += bytes;
            if (kind.IsFile())
            {
                Files++;
                FilesUnchanged += pass.Entries[entry] == EntryAction.Keep ? 1 : 0;
                FilesReplaced += pass.Entries[entry] is EntryAction.Replace or EntryAction.Patch ? 1 : 0;
                FilesToWrite += isWritten ? 1 : 0;
                BytesToWrite += isWritten ? bytes : 0;
            }

            Folders += kind == EntryKind.Folder && !pass.Content.IsAbove(entry) ? 1 : 0;
            Symlinks += kind == EntryKind.Symlink ? 1 : 0;
            BytesInPlace += pass.Entries.InPlace(entry) is BitSet blocks
                ? (long)blocks.CountSet() * pass.Content.Layout.BlockSizeBytes
                : 0;
        }

        BytesToWrite -= BytesInPlace;
        Volumes = [.. pass.Fetch.Volumes.Select(volume => costs.Estimate(volume.Volume, pass.Fetch.BytesOf(volume)))];
        issues = new(() => [.. PlanningIssues, .. RoomIssues, .. EntryLosses.Known(Pass, DisplayTarget)]);
    }

    /// <summary>The location of the backup, without credentials.</summary>
    public string Location { get; }

    /// <summary>The version to restore.</summary>
    public BackupVersion Version => Pass.Content.Version;

    /// <summary>Folder to restore into; null restores every entry to its original place.</summary>
    public string? Target => Options.Target;

    /// <summary>Selected files, without refused ones.</summary>
    public long Files { get; }

    /// <summary>Folders selected.</summary>
    public long Folders { get; }

    /// <summary>Links selected.</summary>
    public long Symlinks { get; }

    /// <summary>
    /// Whether links that point out of the target folder are left out: see
    /// <see cref="RestoreOptions.AllowRestoreOutsideTargetDirectory"/>.
    /// </summary>
    public bool LeavesOutLinks => Options is { Target: not null, AllowRestoreOutsideTargetDirectory: not true };

    /// <summary>Length of the contents of the selected files.</summary>
    public long Bytes { get; }

    /// <summary>Files that are right at the target already.</summary>
    public long FilesUnchanged { get; }

    /// <summary>Files at the target that differ and are to be replaced.</summary>
    public long FilesReplaced { get; }

    /// <summary>Bytes of content that are not in place yet.</summary>
    public long BytesToWrite { get; }

    /// <summary>
    /// Bytes that were fetched to make the plan: file lists and index volumes. They count in the
    /// report of its execution. 0 for a plan that was loaded, or made from another plan.
    /// </summary>
    public long BytesFetched => Effort?.BytesFetched ?? 0;

    /// <summary>
    /// Bytes to be read from block volumes, in addition to <see cref="BytesFetched"/>.
    /// </summary>
    public long BytesToFetch => Sum(volume => volume.BytesToFetch);

    /// <summary>
    /// Total size of the block volumes that these bytes are read from. If they are in archive
    /// storage, this much must be thawed.
    /// </summary>
    public long BytesOfVolumes => Sum(volume => volume.SizeBytes);

    /// <summary>
    /// Approximate number of requests for block volumes, without repeated requests.
    /// </summary>
    public long Requests => Sum(volume => volume.Requests);

    /// <summary>The block volumes to read, in order.</summary>
    public IReadOnlyList<PlannedVolume> Volumes { get; }

    /// <summary>
    /// The names of volumes that could not be read when the plan was made although they are not
    /// known to be damaged: they are in archive storage, or may not be read. They may have data for
    /// which no volume is planned. Index volumes come first; with them readable, a new plan names
    /// the block volumes exactly.
    /// </summary>
    public IReadOnlyList<string> UnreadVolumes => Pass.Locations.Unread;

    /// <summary>
    /// Known problems: refused entries, volumes that were found damaged, the losses of each entry,
    /// and files that did not fit at the target when the plan was made. Its execution looks at the
    /// room again.
    /// </summary>
    public IReadOnlyList<RestoreIssue> Issues => issues.Value;

    /// <summary>What a drill covers; null for any other plan.</summary>
    public DrillCoverage? Drill { get; internal init; }

    /// <summary>
    /// For a plan for the last good files, the versions that the files come from, newest first.
    /// Null for other plans, and for a plan that was loaded.
    /// </summary>
    public IReadOnlyList<VersionSource>? Sources { get; internal init; }

    /// <summary>The number of parts to restore the plan in; null if it is not decided.</summary>
    public int? Shards { get; internal init; }

    internal PassPlan Pass { get; }

    /// <summary>
    /// Whether no filter left anything out. Only then can everything else in the target folder be
    /// called extra.
    /// </summary>
    internal bool SelectsAll { get; init; }

    /// <summary>
    /// Where files would go that the backup has and the plan leaves out. They are not extra at the
    /// target.
    /// </summary>
    internal IReadOnlyList<string> LeftOut { get; init; } = [];

    internal RestoreOptions Options { get; }

    internal FetchCosts Costs { get; }

    internal long FilesToWrite { get; }

    /// <summary>Bytes of blocks that are at the target already, in files that differ.</summary>
    internal long BytesInPlace { get; }

    /// <summary>
    /// What making the plan cost, for the report of its execution. Null for a plan that was loaded,
    /// or made from another one.
    /// </summary>
    internal PlanningEffort? Effort { get; set; }

    /// <summary>Problems found by planning, without the losses of entries.</summary>
    internal IReadOnlyList<RestoreIssue> PlanningIssues { get; init; } = [];

    /// <summary>
    /// What did not fit at the target when the plan was made. It is no property of the plan: it is
    /// not saved with it, and the run looks again.
    /// </summary>
    internal IReadOnlyList<RestoreIssue> RoomIssues { get; init; } = [];

    /// <summary>Reads a plan that <see cref="SaveAsync"/> wrote.</summary>
    /// <param name="stream">The plan, from the position of the stream to its end.</param>
    /// <param name="cancellationToken">Cancels before the plan is read.</param>
    /// <exception cref="RestoreException">The stream does not hold a plan, or the plan is
    /// damaged.</exception>
    public static Task<RestorePlan> LoadAsync(Stream stream, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return new OwnThreads().RunAsync(() => PlanFile.Load(stream, cancellationToken));
    }

    /// <summary>
    /// Writes the plan, for this machine or another one. It contains paths and hashes, and no
    /// passphrase or credentials.
    /// </summary>
    /// <param name="stream">The destination; stays open.</param>
    /// <param name="cancellationToken">Cancels between two writes.</param>
    public Task SaveAsync(Stream stream, CancellationToken cancellationToken = default)
    {
        ArgumentNullException.ThrowIfNull(stream);
        return new OwnThreads().RunAsync(() => PlanFile.Save(this, stream, cancellationToken));
    }

    /// <summary><see cref="LoadAsync"/> on the thread of the caller.</summary>
    internal static RestorePlan Load(Stream stream) => PlanFile.Load(stream);

    /// <summary><see cref="SaveAsync"/> on the thread of the caller.</summary>
    internal void Save(Stream stream) => PlanFile.Save(this, stream);

    /// <summary>The same plan, to be restored in parts on several machines.</summary>
    /// <param name="count">The number of parts, 1 to 4,096.</param>
    public RestorePlan InShards(int count)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(count, 1);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(count, MaxShards);
        return With(Pass, shards: count);
    }

    /// <summary>
    /// The entries that need a block volume: entries with blocks that are read from it, or that
    /// were lost with it. They are found one by one, in the order of the plan; each call goes
    /// through all entries.
    /// </summary>
    /// <param name="volumeName">The name of the volume, which may be missing in the store.</param>
    public IEnumerable<EntryOnVolume> EntriesOn(string volumeName)
    {
        ArgumentException.ThrowIfNullOrEmpty(volumeName);
        return VolumeEntries.Find(Pass, volumeName);
    }

    /// <summary>
    /// The deepest folder that contains all target paths; the root if no other folder does. Each
    /// call goes through all entries.
    /// </summary>
    public string CommonFolder
    {
        get
        {
            string? common = null;
            foreach (EntryId entry in Pass.Included().Where(entry => !Pass.Content.IsAbove(entry)))
            {
                string path = DisplayTarget(entry);
                int folder = EntryPath.FolderLength(path, path.Length);
                int shared = common is null ? folder : path.AsSpan(0, folder).CommonPrefixLength(common);
                common = path[..EntryPath.FolderLength(path, shared)];
            }

            return common ?? "";
        }
    }

    /// <summary>
    /// Whether a file of your own must not be written to a path, because it is in the target
    /// folder, or, in a restore to the original places, at or below the place of an entry that is
    /// not a folder. Case is ignored.
    /// </summary>
    /// <param name="path">The full path.</param>
    /// <exception cref="ArgumentException">The path is relative.</exception>
    public bool Covers(string path)
    {
        ArgumentException.ThrowIfNullOrEmpty(path);
        if (!Path.IsPathFullyQualified(path))
        {
            throw new ArgumentException("A full path is needed", nameof(path));
        }

        string full = Path.GetFullPath(path);
        return Options.VerifyOnly ? false
            : Target is not null ? IsAtOrBelow(full, Target)
            : Pass.Included()
                .Any(entry =>
                    Pass.Content.Entries[entry].Kind != EntryKind.Folder && IsAtOrBelow(full, DisplayTarget(entry))
                );
    }

    /// <summary>
    /// Whether another filter also selects an entry of the plan. It finds a misspelled path
    /// argument among several.
    /// </summary>
    /// <param name="filter">The other filter.</param>
    public bool Selects(EntryFilter filter)
    {
        ArgumentNullException.ThrowIfNull(filter);
        byte[] path = [];
        char[] text = [];
        return EntryId
                .UpTo(Pass.Content.SelectedCount)
                .AsEnumerable()
                .Any(entry => filter.Matches(Pass.Content.PathOf(entry, ref path), ref text))
            || Issues.Any(issue => filter.Matches(issue.Path));
    }

    private static bool IsAtOrBelow(string full, string place)
    {
        string root = Path.TrimEndingDirectorySeparator(Path.GetFullPath(place));
        return full.StartsWith(root, StringComparison.OrdinalIgnoreCase)
            && (
                full.Length == root.Length
                || Path.EndsInDirectorySeparator(root)
                || full[root.Length] == Path.DirectorySeparatorChar
            );
    }

    /// <summary>
    /// A store may list any size: a sum that is too large stays at the largest number.
    /// </summary>
    private long Sum(Func<PlannedVolume, long> amount) =>
        Volumes.Aggregate(0L, (sum, volume) => long.CreateSaturating((Int128)sum + amount(volume)));

    /// <summary>The same plan with another pass, and other problems if there are any.</summary>
    internal RestorePlan With(PassPlan pass, IReadOnlyList<RestoreIssue>? issues = null, int? shards = null) =>
        new(pass, Options, Location, Costs)
        {
            PlanningIssues = issues ?? PlanningIssues,
            RoomIssues = RoomIssues,
            SelectsAll = SelectsAll,
            Drill = Drill,
            Sources = Sources,
            LeftOut = LeftOut,
            Shards = shards ?? Shards,
        };

    internal string DisplayTarget(EntryId entry) => DisplayTarget(entry, place: null);

    /// <summary>
    /// The path of an entry at the target, for messages: its actual place if that differs from the
    /// plan.
    /// </summary>
    internal string DisplayTarget(EntryId entry, string? place)
    {
        string path = place ?? Pass.Entries.TargetPath(entry);
        return TargetDisplay.Of(Target, path);
    }

    /// <summary>
    /// An issue of an entry. The bytes of the entry may be at another place than the path of the
    /// plan.
    /// </summary>
    internal RestoreIssue IssueOf(EntryId entry, IssueKind kind, string reason, string? place = null) =>
        new(kind, Pass.Content.PathText(entry), reason)
        {
            TargetPath = DisplayTarget(entry, place),
            Versions = Pass.Content.VersionsOf(entry),
        };

    /// <summary>Whether the content of a file was right before the restore.</summary>
    internal bool IsUnchanged(EntryId entry) => Pass.Content.IsFile(entry) && Pass.Entries[entry] == EntryAction.Keep;
}
