namespace Restore.Cli.Shards;

/// <summary><c>restore shard-estimate</c>: what a restore in 1 to 256 shards would fetch, take and cost.</summary>
internal sealed class ShardEstimateCommand(SharedOptions shared) : ICliCommand
{
    private static readonly int[] Counts = [1, 2, 4, 8, 16, 32, 64, 128, 256];

    private readonly Option<long?> store = Rate("--store-rate", "10gb", "Bytes per second that the store gives to all machines together");

    private readonly Option<long?> machine = Rate("--machine-rate", "500mb", "Bytes per second that one machine fetches and restores");

    private readonly Option<long?> target = Rate("--target-rate", "20gb", "Bytes per second that the file system takes from all machines together");

    private readonly Option<decimal?> machinePrice = Declare.Price("--machine-price", "Price of an hour of a machine");

    private readonly Option<string?> plot = Declare.Text("--plot", "FILE", null, "Draw time and amplification over the number of shards (SVG)");

    public string Name => "shard-estimate";

    public string Summary => "estimate a restore in 1 to 256 shards";

    public IReadOnlyList<Operand> Operands => [Operand.PlanFile];

    public IReadOnlyList<OptionGroup> Options =>
        [new("Estimate", [store, machine, target, machinePrice, shared.EgressPrice, plot]), shared.Output, shared.Program];

    public IReadOnlyList<string> Examples => ["restore shard-estimate /mnt/shared/job.rplan --store-rate=2gb --machine-price=0.40 --plot=/tmp/job.svg"];

    public Task<int> RunAsync(CommandContext context)
    {
        var picture = context.Line.Value(plot);
        if (picture is not null)
        {
            OutputFile.Check("--plot", picture);
        }

        var plan = ShardedRestore.Load(Operand.PlanFileOf(context.Request)).Plan;
        var rates = RatesOf(context.Line);
        var estimates = ShardEstimate.Of(plan, Counts).Select(rates.Price).ToList();
        context.Write(() => ShardEstimateText.JsonOf(estimates), output => ShardEstimateText.Write(output, estimates));
        if (picture is not null)
        {
            OutputFile.Write(picture, text => ShardEstimateText.Plot(text, estimates), isPrivate: false);
        }

        return Task.FromResult(ExitCodes.Complete);
    }

    private ShardRates RatesOf(CommandLine line) => new(
        line.Value(store) ?? ShardRates.Usual.Store,
        line.Value(machine) ?? ShardRates.Usual.Machine,
        line.Value(target) ?? ShardRates.Usual.Target,
        line.Value(machinePrice) ?? 0,
        line.Value(shared.EgressPrice) ?? 0);

    private static Option<long?> Rate(string name, string usual, string description) => Declare.Size(name, "mb", "1kb", "100tb", usual, description);
}

/// <summary>What an estimate of a restore in shards assumes. Bytes are per second; rates of store and target are those of all machines together.</summary>
internal sealed record ShardRates(double Store, double Machine, double Target, decimal MachineHour, decimal Gigabyte)
{
    // A request that transfers nothing, and the requests that one machine has at the same time.
    private static readonly TimeSpan RequestLatency = TimeSpan.FromMilliseconds(20);
    private const int RequestsAtOnce = 16;

    public static ShardRates Usual { get; } = new(10e9, 500e6, 20e9, 0, 0);

    public PricedEstimate Price(ShardEstimate estimate)
    {
        var machines = Math.Max(estimate.LongestShardBytes / Machine, estimate.MostRequests * RequestLatency.TotalSeconds / RequestsAtOnce);
        (double Seconds, string Name)[] bounds =
            [(machines, "machines"), (estimate.BytesFetched / Store, "store"), (estimate.BytesWritten / Target, "target")];
        var (seconds, bound) = bounds.MaxBy(bound => bound.Seconds);
        var time = TimeSpan.FromSeconds(Math.Min(seconds + (estimate.SharedBytes / Machine), TimeSpan.MaxValue.TotalSeconds / 2));
        return new PricedEstimate(
            estimate, time, bound, (MachineHour * estimate.Shards * (decimal)time.TotalHours) + (Gigabyte * estimate.BytesFetched / (1L << 30)));
    }
}

/// <summary>An estimate with its time, what the time depends on (the machines, the store or the target), and the price of machines and fetched bytes.</summary>
internal sealed record PricedEstimate(ShardEstimate Of, TimeSpan Time, string Bound, decimal Cost);

/// <summary>Estimates of a restore in shards as a table, as JSON, and as a picture.</summary>
internal static class ShardEstimateText
{
    private const int Width = 640;
    private const int Height = 240;

    public static void Write(TextWriter output, IReadOnlyList<PricedEstimate> estimates)
    {
        output.WriteLine("shards     fetched  twice  longest shard  balance  shared files        time  bound by       cost");
        foreach (var one in estimates)
        {
            output.WriteLine(string.Create(
                CultureInfo.InvariantCulture,
                $"{one.Of.Shards,6}  {Units.Bytes(one.Of.BytesFetched),10}  {one.Of.Amplification,5:0.00}  {Units.Bytes(one.Of.LongestShardBytes),13}"
                + $"  {one.Of.Imbalance,7:0.00}"
                + $"  {one.Of.SharedFiles,12}  {Units.Duration(one.Time),10}  {one.Bound,-8}  {one.Cost,9:0.00}"));
        }
    }

    public static JsonObject JsonOf(IReadOnlyList<PricedEstimate> estimates) => new()
    {
        ["estimates"] = Json.Array(estimates, one => new JsonObject
        {
            ["shards"] = one.Of.Shards,
            ["bytesFetched"] = one.Of.BytesFetched,
            ["amplification"] = Math.Round(one.Of.Amplification, 4),
            ["longestShardBytes"] = one.Of.LongestShardBytes,
            ["imbalance"] = Math.Round(one.Of.Imbalance, 4),
            ["sharedFiles"] = one.Of.SharedFiles,
            ["seconds"] = ReportJson.Seconds(one.Time),
            ["bound"] = one.Bound,
            ["cost"] = Math.Round(one.Cost, 4),
        }),
    };

    /// <summary>Time (black) and amplification (blue) over the number of shards; both axes of time and shards double from step to step.</summary>
    public static void Plot(TextWriter svg, IReadOnlyList<PricedEstimate> estimates)
    {
        var times = estimates.Select(one => Math.Log2(Math.Max(1e-3, one.Time.TotalSeconds))).ToList();
        var (lowest, highest) = (times.Min(), Math.Max(times.Max(), times.Min() + 1e-9));
        var most = Math.Max(2, estimates.Max(one => one.Of.Amplification));
        svg.WriteLine($"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-10 -20 {Width + 20} {Height + 50}\" font-family=\"sans-serif\" font-size=\"12\">");
        svg.WriteLine("<text x=\"0\" y=\"-6\">Black: time. Blue: bytes fetched, as a multiple of one machine's</text>");
        Line("black", times.Select(time => (time - lowest) / (highest - lowest)));
        Line("steelblue", estimates.Select(one => (one.Of.Amplification - 1) / (most - 1)));
        for (var i = 0; i < estimates.Count; i++)
        {
            var text = $"{estimates[i].Of.Shards}: {Units.Duration(estimates[i].Time)}";
            svg.WriteLine($"<text x=\"{Number(X(i))}\" y=\"{Height + 16 + (i % 2 * 12)}\" text-anchor=\"middle\">{text}</text>");
        }

        svg.WriteLine("</svg>");

        void Line(string color, IEnumerable<double> values)
        {
            var points = values.Select((value, i) => $"{Number(X(i))},{Number(Height - (value * Height))}");
            svg.WriteLine($"<polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" points=\"{string.Join(' ', points)}\"/>");
        }

        double X(int i) => estimates.Count < 2 ? 0 : (double)i * Width / (estimates.Count - 1);
    }

    private static string Number(double value) => value.ToString("0.#", CultureInfo.InvariantCulture);
}
