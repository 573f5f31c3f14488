namespace Restore.Cli.Options;

/// <summary>The request of the command line, as values for the library and for the host.</summary>
internal sealed record HostRequest
{
    /// <summary>Folder or storage URL, as given; empty for a command that reads no backup.</summary>
    public required string Storage { get; init; }

    /// <summary>The other operands: paths and filters.</summary>
    public required IReadOnlyList<string> Operands { get; init; }

    /// <summary>Includes and excludes in the order of the command line.</summary>
    public IReadOnlyList<FilterRule> Rules { get; init; } = [];

    /// <summary>Number of the version, if given.</summary>
    public int? Version { get; init; }

    /// <summary>Time of the version, if given.</summary>
    public DateTimeOffset? Time { get; init; }

    /// <summary>A drill of all versions.</summary>
    public bool AllVersions { get; init; }

    /// <summary>A drill of the versions made at or after a time, if given.</summary>
    public DateTimeOffset? Since { get; init; }

    /// <summary>What a drill chooses of them; null for everything.</summary>
    public DrillSample? Sample { get; init; }

    /// <summary>Where the result of a drill goes for monitoring, if asked for.</summary>
    public string? MetricsFile { get; init; }

    /// <summary>How to open the backup, without the logger so far.</summary>
    public BackupOptions Backup { get; init; } = new();

    /// <summary>The local database of Duplicati to keep true while the backup is changed; null for none.</summary>
    public string? KeptDatabase { get; init; }

    /// <summary>How to restore.</summary>
    public RestoreOptions Restore { get; init; } = new();

    /// <summary>Whether what the backup does not have is removed from the target.</summary>
    public bool Delete { get; init; }

    /// <summary>Whether nothing is asked.</summary>
    public bool Yes { get; init; }

    /// <summary>The program to start after the run, if asked for.</summary>
    public string? NotifyCommand { get; init; }

    /// <summary>Only plan. <see cref="ListVolumes"/> is a dry run too.</summary>
    public bool DryRun { get; init; }

    /// <summary>Print only the names of the volumes that the plan reads.</summary>
    public bool ListVolumes { get; init; }

    /// <summary>The price of a fetched GB, if given.</summary>
    public decimal? EgressPricePerGigabyte { get; init; }

    public bool Quiet { get; init; }

    public bool Verbose { get; init; }

    public bool Json { get; init; }

    public bool InternalProfiling { get; init; }

    public string? LogFile { get; init; }

    /// <summary>Where the report goes as a file, if asked for.</summary>
    public string? ReportFile { get; init; }
}
