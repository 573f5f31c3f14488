using System.CommandLine;

namespace Restore.Cli.Options.Groups;

/// <summary>The dry run of a command that fetches nothing worth a price.</summary>
internal sealed class DryRunOnlyOptions(DryRunOptions all) : OptionGroup
{
    public override string Title => all.Title;

    public override IReadOnlyList<Option> Options => [all.Only];

    public override HostRequest Apply(HostRequest request, CommandLine line) => request with { DryRun = line.Value(all.Only) };
}
