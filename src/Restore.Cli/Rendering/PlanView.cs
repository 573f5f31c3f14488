namespace Restore.Cli.Rendering;

internal sealed record PlanView
{
    // The rate of a gigabit link, if nothing better is known.
    private const long AssumedBytesPerSecond = 100L << 20;

    private const int MostPathsToRemove = 20_000;

    public required BackupVersion Version { get; init; }

    public string? Target { get; init; }

    public string Store { get; init; } = "";

    public bool VerifyOnly { get; init; }

    public DrillCoverage? Drill { get; init; }

    public IReadOnlyList<VersionSource>? Sources { get; init; }

    public long Files { get; init; }

    public long Folders { get; init; }

    public long Symlinks { get; init; }

    /// <summary>Whether links that point out of the target are left out.</summary>
    public bool LeavesOutLinks { get; init; }

    public long Bytes { get; init; }

    public long FilesUnchanged { get; init; }

    public long BytesToWrite { get; init; }

    /// <summary>Of lists and index volumes, to make the plan.</summary>
    public long BytesFetched { get; init; }

    /// <summary>Of block volumes, when the plan is executed.</summary>
    public long BytesToFetch { get; init; }

    public long BytesInAll => long.CreateSaturating((Int128)BytesFetched + BytesToFetch);

    public long BytesOfVolumes { get; init; }

    public long Requests { get; init; }
    public long BytesPerSecond { get; init; } = AssumedBytesPerSecond;
    public decimal? PricePerGigabyte { get; init; }

    /// <summary>The time for the bytes at that rate, without the time for requests.</summary>
    public TimeSpan TimeToFetch =>
        TimeSpan.FromSeconds(Math.Min((double)BytesToFetch / BytesPerSecond, TimeSpan.MaxValue.TotalSeconds / 2));

    public decimal? Cost => PricePerGigabyte is { } price ? Math.Round(price * BytesInAll / (1L << 30), 6) : null;

    public ExtraEntries? Extra { get; init; }

    /// <summary>Why the version is suspect, and what to restore in place of it.</summary>
    public string? Suspicion { get; init; }

    public int? FilesToRemove => Extra?.Files.Count;

    public int? FoldersToRemove => Extra?.Folders.Count;

    public long? BytesToRemove => Extra?.Bytes;

    /// <summary>The first of the paths to remove, folders with a separator at the end.</summary>
    public IReadOnlyList<string>? PathsToRemove =>
        Extra is null ? null : [.. Commands.ExtraDeletion.Paths(Extra).Take(MostPathsToRemove)];

    public IReadOnlyList<PlannedVolume> Volumes { get; init; } = [];

    /// <summary>Volumes that could not be read, and may have data that no volume is known to have.</summary>
    public IReadOnlyList<string> UnreadVolumes { get; init; } = [];

    public IReadOnlyList<RestoreIssue> Issues { get; init; } = [];

    public static PlanView Of(RestorePlan plan, Backup backup, HostRequest request) =>
        new()
        {
            Version = plan.Version,
            Target = request.Restore.Target is { } target ? Path.GetFullPath(target) : null,
            Store = backup.Location,
            VerifyOnly = request.Restore.VerifyOnly,
            Drill = plan.Drill,
            Sources = plan.Sources,
            Files = plan.Files,
            Folders = plan.Folders,
            Symlinks = plan.Symlinks,
            LeavesOutLinks = plan.LeavesOutLinks,
            Bytes = plan.Bytes,
            FilesUnchanged = plan.FilesUnchanged,
            BytesToWrite = plan.BytesToWrite,
            BytesFetched = plan.BytesFetched,
            BytesToFetch = plan.BytesToFetch,
            BytesOfVolumes = plan.BytesOfVolumes,
            Requests = plan.Requests,
            BytesPerSecond = backup.ThrottleBytesPerSecond ?? AssumedBytesPerSecond,
            PricePerGigabyte = request.Run.EgressPrice,
            Volumes = plan.Volumes,
            UnreadVolumes = plan.UnreadVolumes,
            Issues = plan.Issues,
        };
}
