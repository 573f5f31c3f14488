using System.CommandLine;

namespace Restore.Cli.Options.Groups;

/// <summary>Where the page is.</summary>
internal sealed class BrowseServerOptions : OptionGroup
{
    private const int HighestPort = 65535;

    private readonly Option<int?> port = Declare.Count("--port", 1, HighestPort, "a free one", "Port on this machine; other machines cannot reach it");

    public override string Title => "Page";

    public override IReadOnlyList<Option> Options => [port];

    public int PortOf(CommandLine line) => line.Value(port) ?? 0;
}
