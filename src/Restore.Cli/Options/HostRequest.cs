namespace Restore.Cli.Options;

/// <summary>
/// What the command line asks for, in the library's types. Options of one command are not here: the
/// command reads them itself.
/// </summary>
internal sealed record HostRequest
{
    /// <summary>
    /// Folder or storage URL, as given; empty for a command that reads no backup.
    /// </summary>
    public required string Storage { get; init; }
    public required IReadOnlyList<string> Operands { get; init; }

    /// <summary>Includes and excludes in the order of the command line.</summary>
    public IReadOnlyList<FilterRule> Rules { get; init; } = [];

    public int? Version { get; init; }

    public DateTimeOffset? Time { get; init; }
    public BackupOptions Backup { get; init; } = new();

    /// <summary>What to restore.</summary>
    public RestoreOptions Restore { get; init; } = new();

    /// <summary>How to do that on this machine.</summary>
    public ExecuteOptions Execution { get; init; } = new();

    public RunRequest Run { get; init; } = new();

    /// <summary>How to make a backup; what, and where to, the operands say.</summary>
    public BackupWriterOptions Writer { get; init; } = new() { Sources = [], Destination = "" };

    /// <summary>
    /// Duplicati's local database to keep up to date while the backup is changed.
    /// </summary>
    public string? LocalDatabase { get; init; }

    public bool DryRun { get; init; }

    /// <summary>
    /// The files and folders that options name, but for the target: what the run itself reads and
    /// writes is not deleted.
    /// </summary>
    public IReadOnlyList<string> NamedFiles { get; init; } = [];

    public bool Yes { get; init; }

    public bool Quiet { get; init; }

    public bool Verbose { get; init; }

    public bool Json { get; init; }

    public string? LogFile { get; init; }
}
