namespace Restore.Cli.Options;

internal sealed record RunRequest
{
    public bool Delete { get; init; }
    public bool ListVolumes { get; init; }

    /// <summary>Which versions count for the last good files; null to take one version.</summary>
    public AssessOptions? LastGood { get; init; }

    public bool WithSuspect { get; init; }
    public decimal? EgressPrice { get; init; }

    public string? ReportFile { get; init; }
    public string? MetricsFile { get; init; }

    /// <summary>The page of all drills, to which this one is added.</summary>
    public string? HistoryFile { get; init; }
    public string? NotifyCommand { get; init; }
}
