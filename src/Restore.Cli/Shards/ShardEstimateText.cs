namespace Restore.Cli.Shards;

/// <summary>Estimates of a restore in shards as a table, as JSON, and as a picture.</summary>
internal static class ShardEstimateText
{
    private const int Width = 640;
    private const int Height = 240;

    public static void Write(TextWriter output, IReadOnlyList<PricedEstimate> estimates)
    {
        output.WriteLine(
            "shards     fetched  twice  longest shard  balance  shared files        time  bound by       cost"
        );
        foreach (var one in estimates)
        {
            output.WriteLine(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{one.Of.Shards, 6}  {Units.Bytes(one.Of.BytesFetched), 10}  {one.Of.Amplification, 5:0.00}  {Units.Bytes(one.Of.LongestShardBytes), 13}"
                        + $"  {one.Of.Imbalance, 7:0.00}"
                        + $"  {one.Of.SharedFiles, 12}  {Units.Duration(one.Time), 10}  {one.Bound, -8}  {one.Cost, 9:0.00}"
                )
            );
        }
    }

    public static JsonObject JsonOf(IReadOnlyList<PricedEstimate> estimates) =>
        new()
        {
            ["estimates"] = Json.Array(
                estimates,
                one => new JsonObject
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
                }
            ),
        };

    /// <summary>
    /// Time (black) and amplification (blue) over the number of shards; both axes of time and
    /// shards double from step to step.
    /// </summary>
    public static void Plot(TextWriter svg, IReadOnlyList<PricedEstimate> estimates)
    {
        var times = estimates.Select(one => Math.Log2(Math.Max(1e-3, one.Time.TotalSeconds))).ToList();
        var (lowest, highest) = (times.Min(), Math.Max(times.Max(), times.Min() + 1e-9));
        var most = Math.Max(2, estimates.Max(one => one.Of.Amplification));
        svg.WriteLine(
            $"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-10 -20 {Width + 20} {Height + 50}\" font-family=\"sans-serif\" font-size=\"12\">"
        );
        svg.WriteLine("<text x=\"0\" y=\"-6\">Black: time. Blue: bytes fetched, as a multiple of one machine's</text>");
        Line("black", times.Select(time => (time - lowest) / (highest - lowest)));
        Line("steelblue", estimates.Select(one => (one.Of.Amplification - 1) / (most - 1)));
        for (var i = 0; i < estimates.Count; i++)
        {
            var text = $"{estimates[i].Of.Shards}: {Units.Duration(estimates[i].Time)}";
            svg.WriteLine(
                $"<text x=\"{Markup.Number(X(i))}\" y=\"{Height + 16 + (i % 2 * 12)}\" text-anchor=\"middle\">{text}</text>"
            );
        }

        svg.WriteLine("</svg>");

        void Line(string color, IEnumerable<double> values)
        {
            var points = values.Select(
                (value, i) => $"{Markup.Number(X(i))},{Markup.Number(Height - (value * Height))}"
            );
            svg.WriteLine(
                $"<polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" points=\"{string.Join(' ', points)}\"/>"
            );
        }

        double X(int i) => estimates.Count < 2 ? 0 : (double)i * Width / (estimates.Count - 1);
    }
}
