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
        CheckState state = CheckStates.Of(check);
        HealthCheck? done = state == CheckState.Done ? await check!.ConfigureAwait(false) : null;
        HealthAnswer answer = new(
            state,
            check?.Exception?.InnerException?.Message,
            done is null ? null : Describe(done.Report, session.Health.LossesOf(done))
        );
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
            [
                .. report.Volumes.Select(volume => new VolumeAnswer(
                    volume.Name,
                    volume.SizeBytes,
                    volume.State,
                    losses.TryGetValue(volume.Name, out LostVolume? lost) ? lost.Entries : 0
                )),
            ],
            report.Issues.Count,
            [
                .. report
                    .Issues.OrderBy(issue => issue.Kind)
                    .Take(MaxIssues)
                    .Select(issue => $"{issue.Path}: {issue.Reason}"),
            ]
        );
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

        await call.WriteAsync(
                new VolumeEntriesAnswer(
                    name,
                    total,
                    lost,
                    [
                        .. first.Select(entry => new DependentEntry(
                            entry.Path,
                            entry.Versions.Newest,
                            entry.Versions.Oldest,
                            entry.SizeBytes,
                            entry.BytesThere,
                            entry.HasOtherCopies
                        )),
                    ]
                ),
                WebJson.Default.VolumeEntriesAnswer
            )
            .ConfigureAwait(false);
    }
}

internal sealed record HealthAnswer(CheckState State, string? Error, CheckAnswer? Check);
