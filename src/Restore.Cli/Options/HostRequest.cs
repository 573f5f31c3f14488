using Restore.Cli.Commands;
using Restore.Cli.Rendering;

namespace Restore.Cli.Options;

/// <summary>What the command line asks for, in the library's types. Options of one command are not here: the command reads them itself.</summary>
internal sealed record HostRequest
{
    /// <summary>Folder or storage URL, as given; empty for a command that reads no backup.</summary>
    public required string Storage { get; init; }

    /// <summary>The other operands: paths and filters.</summary>
    public required IReadOnlyList<string> Operands { get; init; }

    /// <summary>Includes and excludes in the order of the command line.</summary>
    public IReadOnlyList<FilterRule> Rules { get; init; } = [];

    public int? Version { get; init; }

    public DateTimeOffset? Time { get; init; }

    /// <summary>How to open the backup, without the logger so far.</summary>
    public BackupOptions Backup { get; init; } = new();

    public RestoreOptions Restore { get; init; } = new();

    /// <summary>What surrounds a restore or a drill.</summary>
    public RunRequest Run { get; init; } = new();

    /// <summary>Duplicati's local database to keep up to date while the backup is changed; null for none.</summary>
    public string? LocalDatabase { get; init; }

    public bool DryRun { get; init; }

    /// <summary>Files that the run itself reads: they are not deleted.</summary>
    public IReadOnlyList<string> ReadFiles { get; init; } = [];

    /// <summary>Whether nothing is asked.</summary>
    public bool Yes { get; init; }

    public bool Quiet { get; init; }

    public bool Verbose { get; init; }

    public bool Json { get; init; }

    public string? LogFile { get; init; }
}

/// <summary>What a restore or a drill does before and after it.</summary>
internal sealed record RunRequest
{
    /// <summary>Whether what the backup does not have is removed from the target.</summary>
    public bool Delete { get; init; }

    /// <summary>Whether a dry run prints only the names of the volumes that the plan reads.</summary>
    public bool ListVolumes { get; init; }

    /// <summary>The price of a fetched GB, if given.</summary>
    public decimal? EgressPrice { get; init; }

    public bool Profile { get; init; }

    public string? ReportFile { get; init; }

    /// <summary>Where the result of a drill goes for monitoring.</summary>
    public string? MetricsFile { get; init; }

    /// <summary>The program to start after the run.</summary>
    public string? NotifyCommand { get; init; }
}
