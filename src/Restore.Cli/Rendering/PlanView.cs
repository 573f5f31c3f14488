using Restore.Cli.Options;

namespace Restore.Cli.Rendering;

/// <summary>The figures of a plan that are shown.</summary>
internal sealed record PlanView
{
    // The rate of a gigabit link, if nothing better is known.
    private const long AssumedBytesPerSecond = 100L << 20;

    public required BackupVersion Version { get; init; }

    public string? Target { get; init; }

    public string Store { get; init; } = "";

    public bool VerifyOnly { get; init; }

    public DrillCoverage? Drill { get; init; }

    public long Files { get; init; }

    public long Folders { get; init; }

    public long Symlinks { get; init; }

    public long Bytes { get; init; }

    public long FilesUnchanged { get; init; }

    public long BytesToWrite { get; init; }

    public long BytesToFetch { get; init; }

    public long BytesOfVolumes { get; init; }

    public long Requests { get; init; }

    /// <summary>The assumed rate.</summary>
    public long BytesPerSecond { get; init; } = AssumedBytesPerSecond;

    /// <summary>The price of a GB that leaves the store, if given.</summary>
    public decimal? PricePerGigabyte { get; init; }

    /// <summary>The time for the bytes at that rate, without the time for requests.</summary>
    public TimeSpan TimeToFetch => TimeSpan.FromSeconds(Math.Min((double)BytesToFetch / BytesPerSecond, TimeSpan.MaxValue.TotalSeconds / 2));

    public decimal? Cost => PricePerGigabyte * BytesToFetch / (1L << 30);

    /// <summary>What the backup does not have, if that is to be removed.</summary>
    public ExtraEntries? Extra { get; init; }

    public IReadOnlyList<PlannedVolume> Volumes { get; init; } = [];

    public IReadOnlyList<RestoreIssue> Issues { get; init; } = [];

    public static PlanView Of(RestorePlan plan, Backup backup, HostRequest request) => new()
    {
        Version = plan.Version,
        Target = request.Restore.Target,
        Store = backup.Location,
        VerifyOnly = request.Restore.VerifyOnly,
        Drill = plan.Drill,
        Files = plan.Files,
        Folders = plan.Folders,
        Symlinks = plan.Symlinks,
        Bytes = plan.Bytes,
        FilesUnchanged = plan.FilesUnchanged,
        BytesToWrite = plan.BytesToWrite,
        BytesToFetch = plan.BytesToFetch,
        BytesOfVolumes = plan.BytesOfVolumes,
        Requests = plan.Requests,
        BytesPerSecond = backup.ThrottleBytesPerSecond ?? AssumedBytesPerSecond,
        PricePerGigabyte = request.EgressPricePerGigabyte,
        Volumes = plan.Volumes,
        Issues = plan.Issues,
    };
}
