using System.CommandLine;
using Restore.Cli.Options.Groups;
using Restore.Cli.Shards;

namespace Restore.Cli.Options;

/// <summary>The groups of options that commands choose from, each created once.</summary>
internal sealed class SharedOptions(TimeProvider clock)
{
    public TimeProvider Clock => clock;

    public VersionOptions Version { get; } = new(clock);

    public OptionGroup Drill { get; } = new DrillOptions(clock);

    public FilterOptions Filters { get; } = new();

    public QueryOptions Query { get; } = new(clock);

    public OptionGroup Metadata { get; } = new MetadataOptions();

    public OptionGroup TargetFolder { get; } = new TargetFolderOptions();

    /// <summary>The price of a GB that leaves the store.</summary>
    public Option<decimal?> EgressPrice { get; } = Declare.Price(
        "--egress-price", "Price of a GB leaving the store, to show the cost of fetching");

    public DryRunOptions DryRun => field ??= new DryRunOptions(EgressPrice);

    /// <summary>The number of parts of a plan.</summary>
    public Option<int?> Shards { get; } = Declare.Count("--shards", 1, 4096, "that of the plan", "Number of shards of the plan");

    public WaitOptions Wait { get; } = new();

    public AccessOptions Access { get; } = new();

    public TargetOptions Target { get; } = new();

    /// <summary>The file that a command writes, if it writes one.</summary>
    public Option<string?> OutputFile { get; } = Declare.Text(
        "--output", "FILE", null,
        "Write the database or the archive to this file, which must not exist yet; without it, an archive goes to the standard output", "-o");

    /// <summary>Whether a lock of another program is ignored.</summary>
    public Option<bool> BreakLock { get; } = Declare.Flag(
        "--break-lock", "Go on although the backup is locked: the program that locked it ended without removing its lock, as after a power failure");

    /// <summary>The size of block volumes that a command writes.</summary>
    public Option<long?> VolumeSize { get; } = Declare.Size(
        "--dblock-size", "mb", "20kb", "1gb", "50mb; when compacting, at least the largest volume", "Size of new block volumes");

    public OptionGroup Tuning { get; } = new TuningOptions();

    public OptionGroup Output { get; } = new OutputOptions();

    public OptionGroup Salvage { get; } = new SalvageOptions();

    public OptionGroup Report { get; } = new ReportOptions();

    public ProgramOptions Program { get; } = new();
}
