using Restore.Cli.Options;

namespace Restore.Cli.Rendering;

/// <summary>What is shown of a plan.</summary>
internal sealed record PlanView
{
    // About what a gigabit link brings, when nothing better is known.
    private const long AssumedBytesPerSecond = 100L << 20;

    public required BackupVersion Version { get; init; }

    public string? Target { get; init; }

    public string Store { get; init; } = "";

    public bool VerifyOnly { get; init; }

    public long Files { get; init; }

    public long Folders { get; init; }

    public long Symlinks { get; init; }

    public long Bytes { get; init; }

    public long FilesUnchanged { get; init; }

    public long BytesToWrite { get; init; }

    public long BytesToFetch { get; init; }

    public long BytesOfVolumes { get; init; }

    public long Requests { get; init; }

    /// <summary>The rate that the time is reckoned at.</summary>
    public long BytesPerSecond { get; init; } = AssumedBytesPerSecond;

    /// <summary>What the store's owner takes for a GB that leaves it, when that is given.</summary>
    public decimal? PricePerGigabyte { get; init; }

    /// <summary>How long the bytes take at that rate; requests take time beside.</summary>
    public TimeSpan TimeToFetch => TimeSpan.FromSeconds(Math.Min((double)BytesToFetch / BytesPerSecond, TimeSpan.MaxValue.TotalSeconds / 2));

    public decimal? Cost => PricePerGigabyte * BytesToFetch / (1L << 30);

    public IReadOnlyList<PlannedVolume> Volumes { get; init; } = [];

    public IReadOnlyList<RestoreIssue> Issues { get; init; } = [];

    public static PlanView Of(RestorePlan plan, Backup backup, HostRequest request) => new()
    {
        Version = plan.Version,
        Target = request.Restore.Target,
        Store = backup.Location,
        VerifyOnly = request.Restore.VerifyOnly,
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
