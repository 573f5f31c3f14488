using System.CommandLine;

namespace Restore.Cli.Options.Groups;

/// <summary>Where the page is, and what it shows beyond the backup.</summary>
/// <param name="egressPrice">The price of a GB that leaves the store.</param>
internal sealed class BrowseServerOptions(Option<decimal?> egressPrice) : OptionGroup
{
    private const int HighestPort = 65535;

    private readonly Option<int?> port = Declare.Count("--port", 1, HighestPort, "a free one", "Port on this machine; other machines cannot reach it");

    public override string Title => "Page";

    public override IReadOnlyList<Option> Options => [port, egressPrice];

    public override HostRequest Apply(HostRequest request, CommandLine line) => request with { EgressPricePerGigabyte = line.Value(egressPrice) };

    public int PortOf(CommandLine line) => line.Value(port) ?? 0;
}
