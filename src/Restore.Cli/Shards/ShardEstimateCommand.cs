namespace Restore.Cli.Shards;

/// <summary>
/// <c>restore shard-estimate</c>: what a restore in 1 to 256 shards would fetch, take and cost.
/// </summary>
internal sealed class ShardEstimateCommand(SharedOptions shared) : ICliCommand
{
    private static readonly int[] Counts = [1, 2, 4, 8, 16, 32, 64, 128, 256];

    private readonly Option<long?> store = Rate(
        "--store-rate",
        "10gb",
        "Bytes per second that the store gives to all machines together"
    );

    private readonly Option<long?> machine = Rate(
        "--machine-rate",
        "500mb",
        "Bytes per second that one machine fetches and restores"
    );

    private readonly Option<long?> target = Rate(
        "--target-rate",
        "20gb",
        "Bytes per second that the file system takes from all machines together"
    );

    private readonly Option<decimal?> machinePrice = Declare.Price("--machine-price", "Price of an hour of a machine");

    private readonly Option<string?> plot = Declare.Text(
        "--plot",
        "FILE",
        null,
        "Draw time and amplification over the number of shards (SVG)"
    );

    public string Name => "shard-estimate";

    public string Summary => "estimate a restore in 1 to 256 shards";

    public IReadOnlyList<Operand> Operands => [Operand.PlanFile];

    public IReadOnlyList<OptionGroup> Options =>
        [
            new("Estimate", [store, machine, target, machinePrice, shared.EgressPrice, plot]),
            shared.Output,
            shared.Program,
        ];

    public IReadOnlyList<string> Examples =>
        ["restore shard-estimate /mnt/job.rplan --store-rate=2gb --plot=/tmp/job.svg"];

    public async Task<int> RunAsync(CommandContext context)
    {
        var picture = context.Line.Value(plot);
        if (picture is not null)
        {
            OutputFile.Check("--plot", picture);
        }

        var plan = (await ShardedRestore.LoadAsync(Operand.PlanFileOf(context.Request))).Plan;
        var rates = RatesOf(context.Line);
        var estimates = ShardEstimate.Of(plan, Counts).Select(rates.Price).ToList();
        context.Write(() => ShardEstimateText.JsonOf(estimates), output => ShardEstimateText.Write(output, estimates));
        if (picture is not null)
        {
            OutputFile.Write(picture, text => ShardEstimateText.Plot(text, estimates), isPrivate: false);
        }

        return ExitCodes.Complete;
    }

    private ShardRates RatesOf(CommandLine line) =>
        new(
            line.Value(store) ?? ShardRates.Usual.Store,
            line.Value(machine) ?? ShardRates.Usual.Machine,
            line.Value(target) ?? ShardRates.Usual.Target,
            line.Value(machinePrice) ?? 0,
            line.Value(shared.EgressPrice) ?? 0
        );

    private static Option<long?> Rate(string name, string usual, string description) =>
        Declare.Size(name, "mb", "1kb", "100tb", usual, description);
}

/// <summary>
/// An estimate with its time, what the time depends on (the machines, the store or the target), and
/// the price of machines and fetched bytes.
/// </summary>
internal sealed record PricedEstimate(ShardEstimate Of, TimeSpan Time, string Bound, decimal Cost);
