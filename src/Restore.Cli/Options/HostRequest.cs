namespace Restore.Cli.Options;

/// <summary>What the command line asks for, as values the library takes and what is left for the host.</summary>
internal sealed record HostRequest
{
    /// <summary>Folder or storage URL, as given; empty for a command that reads no backup.</summary>
    public required string Storage { get; init; }

    /// <summary>The other operands: paths and filters.</summary>
    public required IReadOnlyList<string> Operands { get; init; }

    /// <summary>Includes and excludes in the order of the command line.</summary>
    public IReadOnlyList<FilterRule> Rules { get; init; } = [];

    /// <summary>Number of the version, when given.</summary>
    public int? Version { get; init; }

    /// <summary>Time of the version, when given.</summary>
    public DateTimeOffset? Time { get; init; }

    /// <summary>How to open the backup; the logger is not in it yet.</summary>
    public BackupOptions Backup { get; init; } = new();

    /// <summary>How to restore.</summary>
    public RestoreOptions Restore { get; init; } = new();

    /// <summary>Only plan. <see cref="ListVolumes"/> is a dry run too.</summary>
    public bool DryRun { get; init; }

    /// <summary>Print of the plan only the names of the volumes it reads.</summary>
    public bool ListVolumes { get; init; }

    /// <summary>What a GB that is fetched costs, when given.</summary>
    public decimal? EgressPricePerGigabyte { get; init; }

    public bool Quiet { get; init; }

    public bool Verbose { get; init; }

    public bool Json { get; init; }

    public bool InternalProfiling { get; init; }

    public string? LogFile { get; init; }
}
