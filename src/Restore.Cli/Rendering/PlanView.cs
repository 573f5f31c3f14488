namespace Restore.Cli.Rendering;

/// <summary>What is shown of a plan.</summary>
internal sealed record PlanView
{
    public required BackupVersion Version { get; init; }

    public string? Target { get; init; }

    public bool VerifyOnly { get; init; }

    public long Files { get; init; }

    public long Folders { get; init; }

    public long Symlinks { get; init; }

    public long Bytes { get; init; }

    public long FilesUnchanged { get; init; }

    public long BytesToWrite { get; init; }

    public long BytesToFetch { get; init; }

    public IReadOnlyList<PlannedVolume> Volumes { get; init; } = [];

    public IReadOnlyList<RestoreIssue> Issues { get; init; } = [];

    public static PlanView Of(RestorePlan plan, RestoreOptions options) => new()
    {
        Version = plan.Version,
        Target = options.Target,
        VerifyOnly = options.VerifyOnly,
        Files = plan.Files,
        Folders = plan.Folders,
        Symlinks = plan.Symlinks,
        Bytes = plan.Bytes,
        FilesUnchanged = plan.FilesUnchanged,
        BytesToWrite = plan.BytesToWrite,
        BytesToFetch = plan.BytesToFetch,
        Volumes = plan.Volumes,
        Issues = plan.Issues,
    };
}
