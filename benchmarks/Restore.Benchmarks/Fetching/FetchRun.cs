using Restore.Benchmarks.Measuring;
using Restore.Benchmarks.Suite;

namespace Restore.Benchmarks.Fetching;

/// <summary>What a run took, and what crossed the link for it.</summary>
/// <param name="Usage">What the program took.</param>
/// <param name="Bytes">Bytes of listings and files.</param>
/// <param name="Requests">For listings and files.</param>
/// <param name="Connections">That were opened.</param>
/// <param name="DataShare">Of the link, while block volumes came.</param>
internal sealed record FetchRun(Usage Usage, long Bytes, long Requests, int Connections, double DataShare);

/// <summary>What is fetched, with its goal in words, and what it took, run by run.</summary>
internal sealed record FetchCase(string What, string Goal)
{
    public List<FetchRun> Runs { get; } = [];

    public Spread Wall => Of(run => run.Usage.Wall.TotalSeconds);

    /// <summary>Bytes that the program got, against those that the link could have brought from its start to its end, in percent.</summary>
    public Spread LinkPercent(double bytesPerSecond) => Of(run => 100 * run.Bytes / bytesPerSecond / run.Usage.Wall.TotalSeconds);

    /// <summary>The same while block volumes came, without start, plan and what is left to do after the last byte.</summary>
    public Spread DataPercent => Of(run => 100 * run.DataShare);

    public Spread Of(Func<FetchRun, double> value) => Spread.Of(Runs.Select(value));
}
