using System.CommandLine;
using Restore.Cli.Options.Groups;

namespace Restore.Cli.Options;

/// <summary>The groups of options that commands choose from, each created once.</summary>
internal sealed class SharedOptions(TimeProvider clock)
{
    public OptionGroup Version { get; } = new VersionOptions(clock);

    public OptionGroup Drill { get; } = new DrillOptions(clock);

    public OptionGroup Filters { get; } = new FilterOptions();

    public QueryOptions Query { get; } = new(clock);

    public OptionGroup Metadata { get; } = new MetadataOptions();

    public OptionGroup TargetFolder { get; } = new TargetFolderOptions();

    public OptionGroup DryRun { get; } = new DryRunOptions();

    public AccessOptions Access { get; } = new();

    public TargetOptions Target { get; } = new();

    /// <summary>The file that a command writes, if it writes one.</summary>
    public Option<string?> OutputFile { get; } = Declare.Text(
        "--output", "FILE", null,
        "Write the database or the archive to this file, which must not exist yet; without it, an archive goes to the standard output", "-o");

    public OptionGroup Tuning { get; } = new TuningOptions();

    public OptionGroup Output { get; } = new OutputOptions();

    public OptionGroup Salvage { get; } = new SalvageOptions();

    public OptionGroup Report { get; } = new ReportOptions();

    public ProgramOptions Program { get; } = new();
}
