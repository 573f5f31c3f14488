using Restore.Cli.Options.Groups;

namespace Restore.Cli.Options;

/// <summary>The groups of options that commands choose from, each created once.</summary>
internal sealed class SharedOptions(TimeProvider clock)
{
    public OptionGroup Version { get; } = new VersionOptions(clock);

    public OptionGroup Drill { get; } = new DrillOptions(clock);

    public OptionGroup Filters { get; } = new FilterOptions();

    public OptionGroup Metadata { get; } = new MetadataOptions();

    public OptionGroup TargetFolder { get; } = new TargetFolderOptions();

    public OptionGroup DryRun { get; } = new DryRunOptions();

    public AccessOptions Access { get; } = new();

    public OptionGroup Tuning { get; } = new TuningOptions();

    public OptionGroup Output { get; } = new OutputOptions();

    public OptionGroup Salvage { get; } = new SalvageOptions();

    public OptionGroup Report { get; } = new ReportOptions();

    public ProgramOptions Program { get; } = new();
}
