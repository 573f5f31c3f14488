using System.CommandLine;

namespace Restore.Cli.Options;

internal sealed class TargetOptions : OptionGroup
{
    private readonly Option<bool> overwrite = Declare.Flag(
        "--overwrite",
        "Replace files that differ; without it, the restored file gets a name with the date, beside the other. Files that are right are left alone");

    private readonly Option<bool> restorePermissions =
        Declare.Flag("--restore-permissions", "Restore mode, owner, group and access lists too, never security.* and trusted.* attributes");

    public Option<bool> KeepsPaths { get; } =
        Declare.Flag("--dont-compress-restore-paths", "Keep the full original path below the folder");

    private readonly Option<bool> allowOutsideTarget = Declare.Flag(
        "--allow-restore-outside-target-directory",
        "Create links that point out of the folder (=false: leave them out); without it, they are created if the backup is encrypted, because only then "
        + "are they surely those that were backed up. Nothing is ever written through a link");

    private readonly Option<bool> withLocalBlocks = Declare.Flag(
        "--restore-with-local-blocks", "Take data from the files at their original places, if they still have it");

    public Option<bool> TrustsTimes { get; } = Declare.Flag(
        "--trust-times", "Leave a file at the target alone, unread, if its size and time are those of the backup");

    private readonly Option<bool> delete = Declare.Flag(
        "--delete",
        "Make the folder equal to the backup: when everything is restored, files, links and folders that the backup does not have are removed from it; "
        + "asks before the restore, and needs --overwrite");

    public Option<bool> Yes { get; } = Declare.Flag("--yes", "Do not ask for confirmations", "-y");

    public override string Title => "Target";

    public override IReadOnlyList<Option> Options =>
    [
        overwrite, restorePermissions, KeepsPaths, allowOutsideTarget, withLocalBlocks, TrustsTimes, delete, Yes,
    ];

    public override HostRequest Apply(HostRequest request, CommandLine line) => request with
    {
        Run = request.Run with { Delete = line.Value(delete) },
        Yes = line.Value(Yes),
        Restore = request.Restore with
        {
            Overwrite = line.Value(overwrite),
            RestorePermissions = line.Value(restorePermissions),
            DontCompressRestorePaths = line.Value(KeepsPaths),
            AllowRestoreOutsideTargetDirectory = line.Given(allowOutsideTarget),
            RestoreWithLocalBlocks = line.Value(withLocalBlocks),
            TrustTimes = line.Value(TrustsTimes),
        },
    };
}

/// <summary>How files are written, and what follows at the end.</summary>
internal sealed class WritingOptions : OptionGroup
{
    private readonly Option<bool> noSync = Declare.Flag(
        "--no-sync", "Do not wait at the end until the device has everything: faster, but a power failure then costs restored files");

    private readonly Option<bool> verifyAfter = Declare.Flag(
        "--verify-after", "Read all restored files again from the device at the end, and compare their hashes");

    private readonly Option<bool> preallocateSize =
        Declare.Flag("--restore-preallocate-size", "Give files their full length before writing them");

    public override string Title => "Writing";

    public override IReadOnlyList<Option> Options => [noSync, verifyAfter, preallocateSize];

    public override HostRequest Apply(HostRequest request, CommandLine line) => request with
    {
        Execution = request.Execution with
        {
            SkipFlush = line.Value(noSync) && line.Value(verifyAfter)
                ? throw new UsageException("--verify-after and --no-sync exclude each other: what the device does not have yet cannot be read from it")
                : line.Value(noSync),
            VerifyAfter = line.Value(verifyAfter),
            Tuning = request.Execution.Tuning with { PreallocateSize = line.Value(preallocateSize) },
        },
    };
}
