namespace Restore.Browse.Health;

/// <summary>The volumes of the backup, and the entries that need each.</summary>
internal sealed class HealthApi(BrowseSession session)
{
    private const int MaxIssues = 100;
    private const int MaxEntries = 500;

    public IEnumerable<Route<BrowseCall>> Routes() =>
    [
        new("GET", "api/health", WriteAsync),
        new("POST", "api/health/start", StartAsync),
        new("GET", "api/volume", VolumeAsync),
    ];

    private Task StartAsync(BrowseCall call)
    {
        session.Health.Start();
        return WriteAsync(call);
    }

    private async Task WriteAsync(BrowseCall call)
    {
        Task<HealthCheck>? check = session.Health.Check;
        CheckState state = check is null ? CheckState.NotStarted
            : check.IsCompletedSuccessfully ? CheckState.Done : check.IsCompleted ? CheckState.Failed : CheckState.Running;
        HealthCheck? done = state == CheckState.Done ? await check!.ConfigureAwait(false) : null;
        HealthAnswer answer = new(state, check?.Exception?.InnerException?.Message, done is null ? null : Describe(done.Report, session.Health.LossesOf(done)));
        await call.WriteAsync(answer, WebJson.Default.HealthAnswer).ConfigureAwait(false);
    }

    private CheckAnswer Describe(CheckReport report, LossTotals known)
    {
        IReadOnlyDictionary<string, LostVolume> losses = session.Health.Losses;
        return new CheckAnswer(
            report.Versions,
            report.IndexVolumes,
            report.Blocks,
            report.LostBlocks,
            known,
            [.. report.Volumes.Select(volume => new VolumeAnswer(
                volume.Name, volume.SizeBytes, volume.State, losses.TryGetValue(volume.Name, out LostVolume? lost) ? lost.Entries : 0))],
            report.Issues.Count,
            [.. report.Issues.OrderBy(issue => issue.Kind).Take(MaxIssues).Select(issue => $"{issue.Path}: {issue.Reason}")]);
    }

    private async Task VolumeAsync(BrowseCall call)
    {
        string name = call.Text("name");
        if (name.Length == 0)
        {
            throw new CallException(CallStatus.BadRequest, "'name' is missing");
        }

        List<EntryOnVolume> first = [];
        (int total, int lost) = (0, 0);
        foreach (EntryOnVolume entry in await session.Health.EntriesOnAsync(name, call.Aborted).ConfigureAwait(false))
        {
            call.Aborted.ThrowIfCancellationRequested();
            total++;
            lost += entry.HasOtherCopies ? 0 : 1;
            if (first.Count < MaxEntries)
            {
                first.Add(entry);
            }
        }

        await call.WriteAsync(new VolumeEntriesAnswer(name, total, lost, [.. first.Select(entry => new DependentEntry(
                entry.Path, entry.Versions.Newest, entry.Versions.Oldest, entry.SizeBytes, entry.BytesThere, entry.HasOtherCopies))]),
            WebJson.Default.VolumeEntriesAnswer).ConfigureAwait(false);
    }
}

internal sealed record HealthAnswer(CheckState State, string? Error, CheckAnswer? Check);

internal sealed record CheckAnswer(
    int Versions, int IndexVolumes, long Blocks, long LostBlocks, LossTotals Losses, IReadOnlyList<VolumeAnswer> Volumes, int IssueCount,
    IReadOnlyList<string> Issues);

/// <summary>The files of all versions that are lost, in whole or in part, by folder; those that need a volume of the wrong size and that no other volume has,
/// which may be lost; and whether a drill of this session has read everything.</summary>
internal sealed record LossTotals(int Files, int MetadataOnly, int AtRisk, bool IsVerified, int FolderCount, IReadOnlyList<LostFolder> Folders);

/// <summary>Newest and oldest are the versions with a loss; the entry is the first of them.</summary>
internal sealed record LostFolder(string Path, int Files, int Newest, int Oldest, string First);

/// <summary>Losses counts the entries that a restore or a drill of this session lost with it.</summary>
internal sealed record VolumeAnswer(string Name, long Bytes, VolumeState State, long Losses);

/// <summary>Alone counts the entries that need a block that no other volume has.</summary>
internal sealed record VolumeEntriesAnswer(string Name, int Total, int Alone, IReadOnlyList<DependentEntry> Entries);

internal sealed record DependentEntry(string Path, int Newest, int Oldest, long Bytes, long BytesThere, bool HasOtherCopies);

internal enum CheckState
{
    NotStarted,
    Running,
    Done,
    Failed,
}
