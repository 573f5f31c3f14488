using System.CommandLine;

namespace Restore.Cli.Options.Groups;

/// <summary>The rates and prices of an estimate.</summary>
/// <param name="egressPrice">The price of a GB that leaves the store.</param>
internal sealed class ShardRateOptions(Option<decimal?> egressPrice) : OptionGroup
{
    private readonly Option<long?> store = Rate("--store-rate", "10gb", "Bytes per second that the store gives to all machines together");

    private readonly Option<long?> machine = Rate("--machine-rate", "500mb", "Bytes per second that one machine fetches and restores");

    private readonly Option<long?> target = Rate("--target-rate", "20gb", "Bytes per second that the file system takes from all machines together");

    private readonly Option<decimal?> machinePrice = Declare.Price("--machine-price", "Price of an hour of a machine");

    private readonly Option<string?> plot = Declare.Text("--plot", "FILE", null, "Draw time and amplification over the number of shards (SVG)");

    public override string Title => "Estimate";

    public override IReadOnlyList<Option> Options => [store, machine, target, machinePrice, egressPrice, plot];

    public string? PlotOf(CommandLine line) => line.Value(plot);

    public ShardRates Of(CommandLine line)
    {
        var usual = new ShardRates();
        return usual with
        {
            StoreBytesPerSecond = line.Value(store) ?? usual.StoreBytesPerSecond,
            MachineBytesPerSecond = line.Value(machine) ?? usual.MachineBytesPerSecond,
            TargetBytesPerSecond = line.Value(target) ?? usual.TargetBytesPerSecond,
            PricePerMachineHour = line.Value(machinePrice) ?? 0,
            PricePerGigabyte = line.Value(egressPrice) ?? 0,
        };
    }

    private static Option<long?> Rate(string name, string usual, string description) => Declare.Size(name, "mb", "1kb", "100tb", usual, description);
}
