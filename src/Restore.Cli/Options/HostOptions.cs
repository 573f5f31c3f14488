using System.CommandLine;

namespace Restore.Cli.Options;

/// <summary>
/// Every option of the program, declared once. All commands take all of them, so that a command line can be reused with another command;
/// those without meaning for a command have no effect there. Names, forms and defaults are Duplicati's where Duplicati has the option.
/// </summary>
internal sealed class HostOptions
{
    // The library's own limits, said before it is asked.
    private const int MostCopies = 256;
    private const int MostBatches = 64;

    public HostOptions(TimeProvider clock)
    {
        Time = Declare.Time(
            "--time", clock, "Take the newest version made at or before this time: now, 2026-01-31, 2026-01-31T23:59, 20260131T235959Z, 2W (two weeks ago)");
        Groups =
        [
            new("What to restore", [Version, Time, Include, Exclude]),
            new("Where to, and how", [
                Target, Overwrite, SkipMetadata, RestorePermissions, DontCompressRestorePaths, AllowOutsideTarget, WithLocalBlocks, TrustTimes,
                DryRun, ListVolumes, EgressPrice]),
            new("Opening the backup", [Passphrase, PassphraseFile, Prefix, DatabasePath, MaxKeyIterations, GpgProgramPath, CacheDirectory]),
            new("Tuning", [
                FileProcessors, VolumeDownloaders, VolumeDecryptors, VolumeDecompressors, ChannelBufferSize,
                CacheMax, CacheEvict, VolumeCacheHint, RangeReads, RequestCost, PreallocateSize, Legacy, InternalProfiling]),
            new("Output", [Quiet, Verbose, LogFile, Json, ProgramVersion, Help]),
        ];
    }

    public IReadOnlyList<OptionGroup> Groups { get; }

    public IEnumerable<Option> All => Groups.SelectMany(group => group.Options);

    public Option<int?> Version { get; } = Declare.Version("--version", "Number of the version, 0 is the newest; see 'restore versions' (default 0)");

    public Option<DateTimeOffset?> Time { get; }

    public Option<string[]> Include { get; } = Declare.Texts("--include", "FILTER", "Take what matches; the first filter that matches an entry decides");

    public Option<string[]> Exclude { get; } = Declare.Texts("--exclude", "FILTER", "Leave out what matches");

    public Option<string?> Target { get; } =
        Declare.Text("--restore-path", "FOLDER", "Restore into this folder (default: every entry to its original place)", "--target", "-t");

    public Option<bool> Overwrite { get; } =
        Declare.Flag("--overwrite", "Replace files that differ (default: restore beside them, under a name with the date)");

    public Option<bool> SkipMetadata { get; } = Declare.Flag("--skip-metadata", "Leave out times, attributes and links");

    public Option<bool> RestorePermissions { get; } = Declare.Flag("--restore-permissions", "Restore mode, owner, group and extended attributes too");

    public Option<bool> DontCompressRestorePaths { get; } =
        Declare.Flag("--dont-compress-restore-paths", "Keep the full original path below the folder instead of cutting off what all entries have in common");

    public Option<bool> AllowOutsideTarget { get; } =
        Declare.Flag("--allow-restore-outside-target-directory", "Create links that point out of the folder");

    public Option<bool> WithLocalBlocks { get; } =
        Declare.Flag("--restore-with-local-blocks", "Take data from the files at their original places, where those still hold it");

    public Option<bool> TrustTimes { get; } =
        Declare.Flag("--trust-times", "Take a file at the target for right, unread, when its size and time are those of the backup");

    public Option<bool> DryRun { get; } = Declare.Flag("--dry-run", "Print what would be restored and fetched, and touch nothing");

    public Option<bool> ListVolumes { get; } =
        Declare.Flag("--list-volumes", "Dry run that prints only the names of the volumes with the data, to thaw them where they are in archive storage");

    public Option<decimal?> EgressPrice { get; } =
        Declare.Price("--egress-price", "Price of a GB that leaves the store; the dry run prints what the restore would cost");

    public Option<string?> Passphrase { get; } =
        Declare.Text(
            "--passphrase", "TEXT",
            "Passphrase of the backup; others can see it in the list of processes: better a file, the variable PASSPHRASE, or the prompt");

    public Option<string?> PassphraseFile { get; } =
        Declare.Text("--passphrase-file", "FILE", "Read the passphrase from a file, without the line break at its end; - is the standard input");

    public Option<string?> Prefix { get; } = Declare.Text("--prefix", "NAME", "Which backup to take when the folder holds several (default: the only one)");

    public Option<string?> DatabasePath { get; } = Declare.Text("--dbpath", "FILE", "Duplicati's local database, only read (default: none is needed)");

    public Option<int?> MaxKeyIterations { get; } =
        Declare.Count("--max-key-iterations", 1, int.MaxValue, "Most key derivation rounds a volume may ask for; default 5000000");

    public Option<string?> GpgProgramPath { get; } = Declare.Text("--gpg-program-path", "FILE", "The GnuPG program for .gpg volumes (default: gpg2 or gpg)");

    public Option<string?> CacheDirectory { get; } =
        Declare.Text(
            "--cache-dir", "FOLDER",
            "Keep file lists and index volumes here, as they are in the store, so that the next run need not fetch them (default: none)");

    public Option<int?> FileProcessors { get; } =
        Declare.Count("--restore-file-processors", 1, MostCopies, "Copies of FileProcessor and TargetScanner; default by the cores");

    public Option<int?> VolumeDownloaders { get; } =
        Declare.Count("--restore-volume-downloaders", 1, MostCopies, "Copies of VolumeDownloader; default by the cores, of a remote store 4 to 16 by the link");

    public Option<int?> VolumeDecryptors { get; } =
        Declare.Count("--restore-volume-decryptors", 1, MostCopies, "Copies of VolumeDecryptor; default by the cores");

    public Option<int?> VolumeDecompressors { get; } =
        Declare.Count("--restore-volume-decompressors", 1, MostCopies, "Copies of VolumeDecompressor; default by the cores");

    public Option<int?> ChannelBufferSize { get; } =
        Declare.Count("--restore-channel-buffer-size", 1, MostBatches, "Batches that each channel holds; default chosen by the cores");

    public Option<long?> CacheMax { get; } =
        Declare.Size(
            "--restore-cache-max", "mb", "0b", "64tb",
            "Blocks kept in memory until a file wants them, 0 writes each at once; default 4gb, at most a quarter of the memory");

    public Option<int?> CacheEvict { get; } =
        Declare.Count("--restore-cache-evict", 1, 100, "Percent of these given up when there are too many; default 50", "--restory-cache-evict");

    public Option<long?> VolumeCacheHint { get; } =
        Declare.Size("--restore-volume-cache-hint", "mb", "1b", "64tb", "Bytes of volumes in flight; default 64mb, or two volumes");

    public Option<RangeReads?> RangeReads { get; } =
        Declare.Word<RangeReads>("--range-reads", "Whether parts of volumes are read instead of the whole; default auto, where it is cheaper");

    public Option<long?> RequestCost { get; } =
        Declare.Size("--request-cost", "kb", "0b", "1tb", "What a request is worth, to decide that; default 256kb, and 16kb for a local folder");

    public Option<bool> PreallocateSize { get; } = Declare.Flag("--restore-preallocate-size", "Give files their full length before writing them");

    public Option<bool> Legacy { get; } = Declare.Flag("--restore-legacy", "Use the old sequential flow: slower, kept for comparison");

    public Option<bool> InternalProfiling { get; } = Declare.Flag("--internal-profiling", "Print what each process of the flow did and waited for");

    public Option<bool> Quiet { get; } = Declare.Flag("--quiet", "Only results and errors: no progress, notes or warnings on the error stream", "-q");

    public Option<bool> Verbose { get; } = Declare.Flag("--verbose", "Say on the error stream what happens", "-v");

    public Option<string?> LogFile { get; } = Declare.Text("--log-file", "FILE", "Append what happens, with times, to a file");

    public Option<bool> Json { get; } = Declare.Flag("--json", "Print results as JSON");

    public Option<bool> ProgramVersion { get; } = Declare.Flag("--program-version", "Print the version of this program");

    public Option<bool> Help { get; } = Declare.Flag("--help", "Print this text", "-h", "-?");
}
