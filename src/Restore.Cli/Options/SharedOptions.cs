using System.CommandLine;
using Restore.Cli.Commands;
using Restore.Cli.Rendering;
using Restore.Cli.Shards;

namespace Restore.Cli.Options;

/// <summary>The options that several commands take, each declared once: here, and in the classes of the larger groups.</summary>
internal sealed class SharedOptions(TimeProvider clock)
{
    public TimeProvider Clock => clock;

    public AccessOptions Access { get; } = new() { IsGeneral = true };

    public FilterOptions Filters { get; } = new();

    public TargetOptions Target { get; } = new();

    public OptionGroup Writing { get; } = new WritingOptions();

    public OptionGroup Tuning { get; } = new TuningOptions { IsGeneral = true };

    public WaitOptions Wait { get; } = new();

    public Option<VersionNumbers?> VersionNumber { get; } = Declare.Versions(
        "--version", "0", "Number of the version, 0 is the newest; an unknown number is an error that lists the known ones. delete takes several: 0,2-4");

    public Option<DateTimeOffset?> VersionTime { get; } = Declare.Time(
        "--time", clock,
        "Newest version made at or before this time: now, 2026-01-31, 2026-01-31T23:59, 20260131T235959Z, 2W (two weeks ago); not together with --version");

    public OptionGroup Version => field ??= new("Selection", [VersionNumber, VersionTime], ApplyVersion);

    public Option<bool> SkipMetadata { get; } =
        Declare.Flag("--skip-metadata", "Leave out times, attributes, and links (the target of a link is metadata)");

    public OptionGroup Metadata => field ??= new(
        "Selection", [SkipMetadata], (request, line) => request with { Restore = request.Restore with { SkipMetadata = line.Value(SkipMetadata) } });

    public Option<string?> RestorePath { get; } = Declare.Text(
        "--restore-path", "FOLDER", "restore: the original places",
        "Folder to restore into, or to compare with; the common start of all paths is cut off",
        "--target", "-t");

    public OptionGroup TargetFolder => field ??= new(
        "Target", [RestorePath], (request, line) => request with { Restore = request.Restore with { Target = Folder(line.Value(RestorePath)) } });

    public Option<bool> SalvageVersions { get; } = Declare.Flag(
        "--salvage-versions",
        "If data is lost: take it from files at the target and at the original places that have it by the list of any version, and name other versions "
        + "in which the lost files are whole");

    public OptionGroup Salvage => field ??= new(
        "Damage", [SalvageVersions], (request, line) => request with { Restore = request.Restore with { SalvageVersions = line.Value(SalvageVersions) } });

    public Option<bool> DryRunOnly { get; } = Declare.Flag("--dry-run", "Print what would be done, restored and fetched, and change nothing");

    public Option<bool> ListVolumes { get; } = Declare.Flag(
        "--list-volumes", "Dry run that prints only the names of the volumes with the data, one on a line, to thaw them if they are in archive storage");

    public Option<decimal?> EgressPrice { get; } = Declare.Price("--egress-price", "Price of a GiB leaving the store, to show the cost of fetching");

    public OptionGroup DryRun => field ??= new("Dry run", [DryRunOnly, ListVolumes, EgressPrice], (request, line) => request with
    {
        DryRun = line.Value(DryRunOnly) || line.Value(ListVolumes),
        Run = request.Run with { ListVolumes = line.Value(ListVolumes), EgressPrice = line.Value(EgressPrice) },
    });

    public Option<bool> BreakLock { get; } = Declare.Flag(
        "--break-lock", "Go on although the backup is locked: the program that locked it ended without removing its lock, as after a power failure");

    /// <summary>What changes the backup, with the lock broken if the user says so.</summary>
    public BackupMaintenance MaintenanceOf(Backup backup, CommandLine line) => new(backup) { BreakLock = line.Value(BreakLock) };

    /// <summary>How a backup is changed. The volumes alone say what versions need: the database is not read for that, but kept up to date.</summary>
    public OptionGroup Change => field ??= new("Keeping", [DryRunOnly, Target.Yes, BreakLock], (request, line) => request with
    {
        DryRun = line.Value(DryRunOnly),
        Yes = line.Value(Target.Yes),
        LocalDatabase = request.Backup.DatabasePath,
        Backup = request.Backup with { DatabasePath = null },
    });

    public Option<int?> Shards { get; } = Declare.Count("--shards", 1, 4096, "that of the plan", "Number of shards of the plan");

    public Option<string?> OutputFile { get; } = Declare.Text(
        "--output", "FILE", null,
        "Write the database or the archive to this file, which must not exist yet; without it, an archive goes to the standard output", "-o");

    public Option<long?> VolumeSize { get; } = Declare.Size(
        "--dblock-size", "mb", "20kb", "1gb", "50mb; when compacting, at least the largest volume", "Size of new block volumes");

    public Option<bool> Quiet { get; } = Declare.Flag(
        "--quiet", "Print only results and errors: no progress, notes or warnings on the error stream", "-q");

    public Option<bool> Verbose { get; } = Declare.Flag(
        "--verbose", "Print on the error stream what happens; list all warnings in the summary", "-v");

    public Option<string?> LogFile { get; } = Declare.Text("--log-file", "FILE", null, "Append what happens, with time and level, to a file");

    public Option<bool> Json { get; } = Declare.Flag(
        "--json",
        "Print results as JSON: ls, find, history and diff an object on each line, others one object; restore and verify print progress before it");

    public OptionGroup Output => field ??= new("Output", [Quiet, Verbose, LogFile, Json], (request, line) => request with
    {
        Quiet = line.Value(Quiet), Verbose = line.Value(Verbose), LogFile = line.Value(LogFile), Json = line.Value(Json),
    }) { IsGeneral = true };

    public Option<string?> ReportFile { get; } = Declare.Text(
        "--report", "FILE", null,
        "Write the report to a file too, also if the run fails: JSON if its name ends with .json, a page if with .html, else text; not inside the target");

    public Option<string?> NotifyCommand { get; } = Declare.Text(
        "--notify-command", "PROGRAM", null,
        "Start a program after the run, also if it fails; it gets the result as variables: RESTORE_STATUS, RESTORE_EXIT_CODE, RESTORE_SUMMARY and others");

    public OptionGroup Report => field ??= new("Output", [ReportFile, NotifyCommand], (request, line) => request with
    {
        Run = request.Run with { ReportFile = line.Value(ReportFile), NotifyCommand = line.Value(NotifyCommand) },
    });

    public Option<bool> Help { get; } = Declare.Flag("--help", "Print this text", "-h", "-?");

    public Option<bool> ProgramVersion { get; } = Declare.Flag("--program-version", "Print the version of this program");

    public Option<string?> ParametersFile { get; } = Declare.Text(
        Restore.Cli.Options.ParametersFile.Name,
        "FILE",
        null,
        "Read further options from this file, one a line as --name=value; they take precedence over the command line",
        Restore.Cli.Options.ParametersFile.OtherName);

    /// <summary>The options of every command; the program handles them before a command runs, and the file before the parser.</summary>
    public OptionGroup Program => field ??= new("Program", [Help, ProgramVersion, ParametersFile]) { IsGeneral = true };

    private HostRequest ApplyVersion(HostRequest request, CommandLine line)
    {
        var (numbers, moment) = (line.Value(VersionNumber), line.Value(VersionTime));
        if (numbers is not null && moment is not null)
        {
            throw new UsageException("--version and --time both name a version; give one of them");
        }

        return numbers is null || VersionExpression.TryGetOne(numbers, out _)
            ? request with { Version = numbers?.Ranges[0].First, Time = moment }
            : throw new UsageException($"--version: {VersionExpression.SeveralIn(numbers)}");
    }

    /// <summary>Shells of Windows leave quotes around a path, and Duplicati takes a storage URL after an @.</summary>
    private static string? Folder(string? given)
    {
        var folder = given is ['"', .. var inner, '"'] ? inner : given;
        return folder is ['@', ..]
            ? throw new UsageException(
                $"--restore-path: {folder} names a storage, and entries are restored to folders only; a folder of that name is ./{folder}")
            : string.IsNullOrEmpty(folder) ? null : folder;
    }
}
