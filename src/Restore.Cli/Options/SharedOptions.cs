using Restore.Cli.Help;
using static Restore.Cli.Options.Declare;

namespace Restore.Cli.Options;

/// <summary>The options that several commands take, each declared once.</summary>
internal sealed class SharedOptions(TimeProvider clock)
{
    public TimeProvider Clock => clock;

    public JobOptions Job { get; } = new();

    public OptionGroup Access => field ??= AccessOptions.Group(Job);

    public OptionGroup Tuning { get; } = TuningOptions.Group();

    public IReadOnlyList<Option> FilterRules { get; } = FilterOptions.All();

    public OptionGroup Filters => field ??= FilterOptions.Group(FilterRules);

    /// <summary>What is restored before everything else.</summary>
    public OptionGroup Order { get; } =
        new(
            "Selection",
            [
                Texts(
                        "--first",
                        "FILTER",
                        "Bring what this path, name or pattern takes before everything else; several: in their order. Nothing is fetched twice for it"
                    )
                    .SetsRestore(
                        (restore, text) =>
                            restore with
                            {
                                First = [.. restore.First, FilterOptions.FilterOf([text], [])],
                            }
                    ),
            ]
        );

    /// <summary>Of <c>verify</c>, and of Duplicati's <c>list</c>.</summary>
    public Option<bool> AllVersions =>
        field ??= Flag("--all-versions", "All versions in one run: each volume is read once, each block verified once")
            .RefusedBy(command =>
                command.Takes(VersionNumber)
                    ? "--all-versions cannot be used: this command takes one version, by --version or --time; 'restore find' and 'restore verify' take all"
                    : null
            );

    public const string TimeOption = "--time";

    public Option<VersionNumbers?> VersionNumber { get; } =
        Versions(
            "--version",
            "0",
            "Number of the version, 0 is the newest; an unknown number is an error that lists the known ones. delete takes several: 0,2-4"
        );

    public Option<DateTimeOffset?> VersionTime { get; } =
        Time(
            TimeOption,
            clock,
            "Newest version made at or before this time: now, 2026-01-31 (the beginning of that day), 2026-01-31T23:59, "
                + "20260131T235959Z, 2W (two weeks ago); not together with --version"
        );

    public LastGoodOptions LastGood => field ??= new(this);

    public OptionGroup Version => field ??= new("Selection", [VersionNumber, VersionTime], ApplyVersion);

    public Option<bool> SkipsMetadata { get; } =
        Flag("--skip-metadata", "Leave out times, attributes, and links (the target of a link is metadata)")
            .Sets(
                (request, skips) =>
                    request with
                    {
                        Restore = request.Restore with { SkipMetadata = skips },
                        Writer = request.Writer with { SkipMetadata = skips },
                    }
            );

    public OptionGroup Metadata => field ??= new("Selection", [SkipsMetadata]);

    public OptionGroup TargetFolder { get; } =
        new(
            "Target",
            [
                Text(
                        "--restore-path",
                        "FOLDER",
                        "restore: the original places",
                        "Folder to restore into, or to compare with; the common start of all paths is cut off",
                        "--target",
                        "-t"
                    )
                    .SetsRestore((restore, folder) => restore with { Target = Folder(folder) })
                    .IsTarget(),
            ]
        );

    public Option<string> Overwrites { get; } =
        FlagOr(
                "--overwrite",
                ["if-newer", "never", "always"],
                "Replace files that differ; without it, the restored file gets a name with the date, beside the other. Files that are right are left alone. "
                    + "=if-newer replaces what is older than in the backup and leaves the rest as it is, "
                    + "=never leaves all that is there, =always is the switch alone"
            )
            .SetsRestore(
                (restore, word) =>
                    restore with
                    {
                        Overwrite = word is "true" or "always" or "if-newer" || restore.OverwriteInPlace,
                        Keep =
                            word is "if-newer" ? KeptAtTarget.NotOlder
                            : word is "never" ? KeptAtTarget.All
                            : KeptAtTarget.None,
                    }
            );

    public Option<bool> KeepsPaths { get; } =
        Flag("--dont-compress-restore-paths", "Keep the full original path below the folder")
            .SetsRestore((restore, keeps) => restore with { DontCompressRestorePaths = keeps });

    public Option<bool> TrustsTimes { get; } =
        Flag("--trust-times", "Leave a file at the target alone, unread, if its size and time are those of the backup")
            .SetsRestore((restore, trusts) => restore with { TrustTimes = trusts });

    public Option<bool> Yes { get; } =
        Flag("--yes", "Do not ask for confirmations", "-y").Sets((request, yes) => request with { Yes = yes });

    public OptionGroup Target =>
        field ??= new(
            "Target",
            [
                Overwrites,
                Flag(
                        "--overwrite-in-place",
                        "As --overwrite, but of a file that has right blocks change only the wrong ones, in the file itself: "
                            + "no second copy, and a restore that is "
                            + "interrupted leaves it neither old nor new until the same command has ended"
                    )
                    .SetsRestore(
                        (restore, inPlace) =>
                            restore with
                            {
                                Overwrite = inPlace || restore.Overwrite,
                                OverwriteInPlace = inPlace,
                            }
                    ),
                Flag(
                        "--restore-permissions",
                        "Restore mode, owner, group and access lists too, never security.* and trusted.* attributes"
                    )
                    .SetsRestore((restore, restores) => restore with { RestorePermissions = restores }),
                Texts(
                        "--map-owner",
                        "OLD=NEW",
                        "With --restore-permissions: give what belongs to an owner of the backup to an account of this system. OLD is a SID "
                            + "of Windows (NEW: a SID or an account), a user by name or number, or with a colon before both a group"
                    )
                    .SetsRestore(
                        (restore, text) => restore with { MapOwners = OwnerPair.Add(restore.MapOwners, text) }
                    ),
                KeepsPaths,
                Flag(
                        "--allow-restore-outside-target-directory",
                        "Create links that point out of the folder (=false: leave them out); without it, "
                            + "they are created if the backup is encrypted, because only "
                            + "then are they surely those that were backed up. Nothing is ever written through a link"
                    )
                    .SetsRestore((restore, allows) => restore with { AllowRestoreOutsideTargetDirectory = allows }),
                Flag(
                        "--restore-with-local-blocks",
                        "Take data from the files at their original places, if they still have it"
                    )
                    .SetsRestore((restore, takes) => restore with { RestoreWithLocalBlocks = takes }),
                TrustsTimes,
            ],
            (request, _) =>
                request.Restore is { RestorePermissions: false, MapOwners.Count: > 0 }
                    ? throw new UsageException(
                        "--map-owner needs --restore-permissions: without it, no owner is restored"
                    )
                : request.Restore is { OverwriteInPlace: true, Keep: not KeptAtTarget.None }
                    ? throw new UsageException(
                        "--overwrite-in-place and --overwrite=if-newer or =never exclude each other: a half-changed file would count as newer"
                    )
                : request
        );

    /// <summary>What follows a restore; a plan does not say it.</summary>
    public OptionGroup Deletion =>
        field ??= new(
            "Target",
            [
                Flag(
                        "--delete",
                        "Make the folder equal to the backup: when everything is restored, files, links and folders "
                            + "that the backup does not have are removed from "
                            + "it; asks before the restore, and needs --overwrite"
                    )
                    .SetsRun((run, deletes) => run with { Delete = deletes })
                    .RefusedBy(command =>
                        command.Takes(Overwrites)
                            ? "--delete cannot be used with a plan: when it is restored, 'restore' with --overwrite and --delete "
                                + "removes what the backup does not have"
                            : null
                    ),
                Yes,
            ]
        );

    /// <summary>How files are written, and what follows at the end.</summary>
    public OptionGroup Writing { get; } =
        new(
            "Writing",
            [
                Flag(
                        "--no-sync",
                        "Do not wait at the end until the device has everything: faster, but a power failure then costs restored files"
                    )
                    .SetsExecution((execution, skips) => execution with { SkipFlush = skips }),
                Flag(
                        "--verify-after",
                        "Read all restored files again from the device at the end, and compare their hashes"
                    )
                    .SetsExecution((execution, verifies) => execution with { VerifyAfter = verifies }),
                Flag("--restore-preallocate-size", "Give files their full length before writing them")
                    .SetsTuning((tuning, preallocates) => tuning with { PreallocateSize = preallocates }),
            ],
            (request, _) =>
                request.Execution is { SkipFlush: true, VerifyAfter: true }
                    ? throw new UsageException(
                        "--verify-after and --no-sync exclude each other: what the device does not have yet cannot be read from it"
                    )
                    : request
        );

    public OptionGroup Salvage { get; } =
        new(
            "Damage",
            [
                Flag(
                        "--salvage-versions",
                        "If data is lost: take it from files at the target and at the original places that have it by the list of any version, and name other "
                            + "versions in which the lost files are whole"
                    )
                    .SetsRestore((restore, salvages) => restore with { SalvageVersions = salvages }),
            ]
        );

    public Option<bool> DryRunOnly =>
        field ??= Flag("--dry-run", "Print what would be done, restored and fetched, and change nothing")
            .Sets((request, isDry) => request with { DryRun = request.DryRun || isDry })
            .RefusedBy(command => NoDryRun("--dry-run", command));

    /// <summary>For what fetches nothing that costs.</summary>
    public OptionGroup DryRunAlone => field ??= new("Dry run", [DryRunOnly]);

    public Option<decimal?> EgressPrice { get; } =
        Price("--egress-price", "Price of a GiB leaving the store, to show the cost of fetching")
            .SetsRun((run, price) => run with { EgressPrice = price });

    public OptionGroup DryRun =>
        field ??= new(
            "Dry run",
            [
                DryRunOnly,
                Flag(
                        "--list-volumes",
                        "Dry run that prints only the names of the volumes with the data, one on a line, to thaw them if they are in archive storage"
                    )
                    .Sets(
                        (request, lists) =>
                            request with
                            {
                                DryRun = request.DryRun || lists,
                                Run = request.Run with { ListVolumes = lists },
                            }
                    )
                    .RefusedBy(command => NoDryRun("--list-volumes", command)),
                EgressPrice,
            ]
        );

    /// <summary>
    /// A dry run is never the real one: a command that has none is not run instead.
    /// </summary>
    private string? NoDryRun(string name, ICliCommand command) =>
        command.HasNoDryRun || command.Takes(DryRunOnly)
            ? $"{name} cannot be used: restore {command.Name} has no such dry run"
            : null;

    public Option<bool> BreakLock { get; } =
        Flag(
            "--break-lock",
            "Go on although the backup is locked: the program that locked it ended without removing its lock, as after a power failure"
        );

    /// <summary>What changes the backup, with the lock broken if the user says so.</summary>
    public BackupMaintenance MaintenanceOf(Backup backup, CommandLine line) =>
        new(backup) { BreakLock = line.Value(BreakLock) };

    /// <summary>
    /// How a backup is changed. The volumes alone say what versions need: the database is not read
    /// for that, but kept up to date.
    /// </summary>
    public OptionGroup Change =>
        field ??= new(
            "Keeping",
            [DryRunOnly, Yes, BreakLock],
            (request, _) =>
                request with
                {
                    LocalDatabase = request.Backup.DatabasePath,
                    Backup = request.Backup with { DatabasePath = null },
                }
        );

    /// <summary>Programs of the user's before and after a change of the backup.</summary>
    public ScriptOptions Scripts { get; } = new();

    public Option<int?> Shards { get; } =
        Count("--shards", 1, 4096, "that of the plan", "Number of shards of the plan");

    public Option<int?> WaitMinutes { get; } =
        Count(
            "--wait",
            0,
            100_000,
            "0",
            "Wait so many minutes until the plan is there, and the last step until all shards are restored"
        );

    public OptionGroup Waiting => field ??= new("Waiting", [WaitMinutes]);

    public Option<bool> Long { get; } =
        Declare.Flag(
            "--long",
            "ls: modes, owners, exact times and link targets too (reads block volumes); versions: files, bytes and changes (reads all lists)",
            "-l"
        );

    public Option<string?> OutputFile { get; } =
        Text(
            "--output",
            "FILE",
            null,
            "Write the database, the archive or the file to this path, where nothing may be yet; without it, an archive or a file goes to the "
                + "standard output",
            "-o"
        );

    public Option<long?> VolumeSize { get; } =
        Size(
            "--dblock-size",
            "mb",
            "20kb",
            "1gb",
            "50mb; when compacting, at least the largest volume",
            "Size of new block volumes"
        );

    public OptionGroup Output { get; } =
        new(
            "Output",
            [
                Flag(
                        "--quiet",
                        "Print only results and errors: no progress, notes or warnings on the error stream",
                        "-q"
                    )
                    .Sets((request, isQuiet) => request with { Quiet = isQuiet }),
                Flag("--verbose", "Print on the error stream what happens; list all warnings in the summary", "-v")
                    .Sets((request, isVerbose) => request with { Verbose = isVerbose }),
                Text("--log-file", "FILE", null, "Append what happens, with time and level, to a file")
                    .Sets((request, file) => request with { LogFile = file }),
                Flag(
                        "--json",
                        "Print results as JSON: ls, find, history and diff an object on each line, others one object; "
                            + "restore and verify print progress before it"
                    )
                    .Sets((request, isJson) => request with { Json = isJson }),
            ]
        )
        {
            IsGeneral = true,
        };

    public Option<string?> Metrics { get; } =
        Text(
                "--metrics",
                "FILE",
                null,
                "Write the result to a file for Prometheus (textfile collector), also if the run fails"
            )
            .SetsRun((run, file) => run with { MetricsFile = file });

    /// <summary>Of commands that a scheduler starts.</summary>
    public OptionGroup NightlyReport => field ??= new("Output", [.. Report.Options, Metrics]);

    public OptionGroup Report { get; } =
        new(
            "Output",
            [
                Text(
                        "--report",
                        "FILE",
                        null,
                        "Write the report to a file too, also if the run fails: JSON if its name ends with .json, else text; "
                            + "a restore, drill or last step of shards has a page if it ends with .html; not inside the target"
                    )
                    .SetsRun((run, file) => run with { ReportFile = file }),
                Text(
                        "--notify-command",
                        "PROGRAM",
                        null,
                        "Start a program after the run, also if it fails; it gets the result as variables: RESTORE_STATUS, RESTORE_EXIT_CODE, "
                            + "RESTORE_SUMMARY and others"
                    )
                    .SetsRun((run, program) => run with { NotifyCommand = program }),
            ]
        );

    /// <summary>
    /// The options of every command; the program handles them before a command runs, and the file
    /// before the parser.
    /// </summary>
    public OptionGroup Program { get; } =
        new(
            "Program",
            [
                Flag("--help", "Print this text", "-h", "-?").Answers(new HelpAction()),
                Flag(VersionAction.OptionName, "Print the version of this program").Answers(new VersionAction()),
                Text(
                    ParametersFile.Name,
                    "FILE",
                    null,
                    "Read further options from this file, one a line as --name=value; they take precedence over the command line",
                    ParametersFile.OtherName
                ),
            ]
        )
        {
            IsGeneral = true,
        };

    private HostRequest ApplyVersion(HostRequest request, CommandLine line)
    {
        var (numbers, moment) = (line.Value(VersionNumber), line.Value(VersionTime));
        if (numbers is not null && moment is not null)
        {
            throw new UsageException("--version and --time both name a version; give one of them");
        }

        return numbers is null || VersionExpression.TryGetOne(numbers, out _)
            ? request with
            {
                Version = numbers?.Ranges[0].First,
                Time = moment,
            }
            : throw new UsageException($"--version: {VersionExpression.SeveralIn(numbers)}");
    }

    /// <summary>
    /// Shells of Windows leave quotes around a path, and Duplicati takes a storage URL after an @.
    /// </summary>
    private static string? Folder(string? given)
    {
        var folder = given is ['"', .. var inner, '"'] ? inner : given;
        if (folder?.Contains('\uFFFD', StringComparison.Ordinal) == true)
        {
            throw new UsageException(
                $"--restore-path: {folder} is not in UTF-8, so that folder cannot be named here; give another one, or rename it"
            );
        }

        return folder is ['@', ..]
                ? throw new UsageException(
                    $"--restore-path: {folder} names a storage, and entries are restored to folders only; a folder of that name is ./{folder}"
                )
            : folder is "" ? throw new UsageException("--restore-path: the value is empty")
            : folder;
    }
}
