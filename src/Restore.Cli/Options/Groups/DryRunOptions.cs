using System.CommandLine;

namespace Restore.Cli.Options.Groups;

/// <summary>Previews of a restore or a drill.</summary>
/// <param name="egressPrice">The price of a GB that leaves the store.</param>
internal sealed class DryRunOptions(Option<decimal?> egressPrice) : OptionGroup
{
    private readonly Option<bool> dryRun = Declare.Flag("--dry-run", "Print what would be done, restored and fetched, and change nothing");

    private readonly Option<bool> listVolumes = Declare.Flag(
        "--list-volumes", "Dry run that prints only the names of the volumes with the data, one on a line, to thaw them if they are in archive storage");

    /// <summary>Whether nothing is changed.</summary>
    public Option<bool> Only => dryRun;

    public override string Title => "Dry run";

    public override IReadOnlyList<Option> Options => [dryRun, listVolumes, egressPrice];

    public override HostRequest Apply(HostRequest request, CommandLine line) => request with
    {
        DryRun = line.Value(dryRun) || line.Value(listVolumes),
        ListVolumes = line.Value(listVolumes),
        EgressPricePerGigabyte = line.Value(egressPrice),
    };
}
