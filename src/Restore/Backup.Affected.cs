using Restore.Maintenance;
using Restore.Restoring;

namespace Restore;

/// <content>What depends on volumes.</content>
public partial class Backup
{
    private const int SimilarNames = 5;

    /// <summary>
    /// Finds out what all versions lose without the given volumes, whether or not the store has
    /// these volumes. Reads file lists and index volumes, and block volumes only if no index volume
    /// describes them; so a damaged volume counts as sound unless it is named.
    /// </summary>
    /// <param name="volumes">Their names, with or without a path: block volumes, index volumes,
    /// file lists.</param>
    /// <param name="progress">Receives progress; null for none.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>What depends on them.</returns>
    /// <exception cref="RestoreException">A name does not belong to a volume of this backup, no
    /// file list can be read, or the passphrase is wrong.</exception>
    public virtual async Task<AffectedReport> FindAffectedAsync(
        IReadOnlyCollection<string> volumes,
        IProgress<RestoreProgress>? progress = null,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(volumes);
        ArgumentOutOfRangeException.ThrowIfZero(volumes.Count);
        return await RestoreTelemetry
            .WatchAsync(
                "FindAffected",
                async _ =>
                {
                    ProgressMeter meter = StartMeter(null);
                    HashSet<string> names =
                    [
                        .. volumes.Select(volume => volume[(volume.LastIndexOfAny(['/', '\\']) + 1)..]),
                    ];
                    RequireNames(
                        names.Where(name =>
                            !VolumeName.TryParse(name, out VolumeName parsed) || parsed.Prefix != Prefix
                        )
                    );
                    HashSet<string> lists =
                    [
                        .. names.Where(name => Session.Volumes.Find(name)?.Name.Kind == VolumeKind.FileList),
                    ];
                    VolumeSet left = Session.Volumes.Without(name => names.Contains(name) && !lists.Contains(name));
                    ICatalog catalog = await BackupOpening
                        .OpenCatalogAsync(Session.Options, Session.Loader, left, cancellationToken)
                        .ConfigureAwait(false);
                    await using (catalog.ConfigureAwait(false))
                    {
                        RestorePlan plan = await PlanAllAsync(
                                Session with
                                {
                                    Volumes = left,
                                    Catalog = catalog,
                                },
                                progress,
                                cancellationToken
                            )
                            .ConfigureAwait(false);
                        RestoreIssue[] issues =
                        [
                            .. await LossesOfAsync(plan, names, progress, cancellationToken).ConfigureAwait(false),
                        ];
                        HashSet<string> inLosses = [.. issues.SelectMany(issue => issue.Volumes)];
                        RequireNames(
                            names.Where(name => Session.Volumes.Find(name) is null && !inLosses.Contains(name))
                        );
                        Dictionary<string, LostVolume> losses = ReportBuilder
                            .LostVolumes(issues, IsInStore)
                            .ToDictionary(loss => loss.Name);
                        return new AffectedReport
                        {
                            Volumes =
                            [
                                .. names
                                    .Order(StringComparer.Ordinal)
                                    .Select(name => new AffectedVolume(
                                        name,
                                        IsInStore(name),
                                        Session.Volumes.Parity.ContainsKey(name),
                                        losses.GetValueOrDefault(name)?.Entries ?? 0,
                                        losses.GetValueOrDefault(name)?.Bytes ?? 0
                                    )),
                            ],
                            Versions = Versions.Count,
                            LostVersions = LostVersions(
                                plan.Pass.Content,
                                [.. Versions.Where(version => lists.Contains(version.FileListName))]
                            ),
                            Issues = issues,
                            BytesFetched = meter.BytesFetched,
                            Elapsed = meter.Elapsed,
                        };
                    }
                }
            )
            .ConfigureAwait(false);
    }

    private bool IsInStore(string name) => Session.Volumes.Find(name) is { IsMissing: false };

    private void RequireNames(IEnumerable<string> unknown)
    {
        if (unknown.Order(StringComparer.Ordinal).FirstOrDefault() is string name)
        {
            string[] similar =
            [
                .. Session
                    .Volumes.All.Select(volume => volume.FileName)
                    .Where(known =>
                        (name.Length > 0 && known.Contains(name, StringComparison.OrdinalIgnoreCase))
                        || EntryQuery.IsSimilar(name, known)
                    )
                    .Take(SimilarNames),
            ];
            throw new RestoreException(
                RestoreErrorCode.VolumeNotFound,
                $"There is no volume named {name}, and nothing that is lost was in one"
                    + (similar.Length == 0 ? "" : $"; similar names: {string.Join(", ", similar)}"),
                Location
            );
        }
    }

    private Task<RestorePlan> PlanAllAsync(
        RestoreSession volumes,
        IProgress<RestoreProgress>? progress,
        CancellationToken cancellationToken
    ) =>
        new Backup(volumes).PlanDrillAsync(
            Versions,
            new RestoreOptions(),
            sample: null,
            new ExecuteOptions { Progress = progress },
            cancellationToken
        );

    /// <summary>
    /// The losses of a plan without the volumes that a plan with them does not have.
    /// </summary>
    private async Task<IReadOnlyList<RestoreIssue>> LossesOfAsync(
        RestorePlan without,
        HashSet<string> names,
        IProgress<RestoreProgress>? progress,
        CancellationToken cancellationToken
    )
    {
        IssueLog found = new();
        List<RestoreIssue> unclear = [];
        foreach (
            RestoreIssue issue in without
                .Issues.Where(ReportBuilder.IsLossOfData)
                .Select(issue => issue with { TargetPath = null })
        )
        {
            if (issue.Volumes.Any(names.Contains))
            {
                found.Add(issue);
            }
            else
            {
                unclear.Add(issue);
            }
        }

        if (unclear.Count > 0)
        {
            // Which volume had a block is not known without its index volume; or the entry is
            // damaged anyway.
            RestorePlan now = await PlanAllAsync(Session, progress, cancellationToken).ConfigureAwait(false);
            var known = now.Issues.Where(ReportBuilder.IsLossOfData).Select(LossOf).ToHashSet();
            found.AddRange(unclear.Where(issue => !known.Contains(LossOf(issue))));
        }

        return found.ToList();
    }

    private static (string Path, VersionRange? Versions, long Bytes, bool Metadata) LossOf(RestoreIssue issue) =>
        (issue.Path, issue.Versions, issue.LostRanges.Sum(range => range.To - range.From), issue.MetadataLost);

    private static AffectedVersion[] LostVersions(VersionContent content, IReadOnlyList<BackupVersion> lost)
    {
        HashSet<int> numbers = [.. lost.Select(version => version.Index)];
        return
        [
            .. lost.Select(version =>
            {
                EntryId[] files =
                [
                    .. EntryId
                        .UpTo(content.Entries.Count)
                        .AsEnumerable()
                        .Where(entry => content.IsFile(entry) && Covers(content.VersionsOf(entry), version)),
                ];
                EntryId[] only =
                [
                    .. files.Where(entry => content.VersionsOf(entry) is not VersionRange span || IsAmong(span)),
                ];
                return new AffectedVersion(
                    version,
                    files.Length,
                    files.Sum(content.SizeOf),
                    only.Length,
                    only.Sum(content.SizeOf)
                );
            }),
        ];

        bool Covers(VersionRange? span, BackupVersion version) =>
            span is not VersionRange of || (of.Newest <= version.Index && version.Index <= of.Oldest);
        bool IsAmong(VersionRange span) =>
            Enumerable.Range(span.Newest, span.Oldest - span.Newest + 1).All(numbers.Contains);
    }
}
