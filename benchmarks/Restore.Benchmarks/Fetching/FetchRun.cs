using Restore.Benchmarks.Measuring;
using Restore.Benchmarks.Suite;

namespace Restore.Benchmarks.Fetching;

/// <summary>The cost of a run, and its traffic on the link.</summary>
/// <param name="Usage">The cost of the process.</param>
/// <param name="Bytes">Bytes of listings and files.</param>
/// <param name="Requests">Requests for listings and files.</param>
/// <param name="Connections">Opened connections.</param>
/// <param name="DataShare">Used share of the link while block volumes arrived.</param>
internal sealed record FetchRun(Usage Usage, long Bytes, long Requests, int Connections, double DataShare);

/// <summary>A case with its goal and its runs.</summary>
internal sealed record FetchCase(string What, string Goal)
{
    public List<FetchRun> Runs { get; } = [];

    public Spread Wall => Of(run => run.Usage.Wall.TotalSeconds);

    /// <summary>
    /// Transferred bytes as a percentage of what the link could have transferred from the start to
    /// the end of the program.
    /// </summary>
    public Spread LinkPercent(double bytesPerSecond) =>
        Of(run => 100 * run.Bytes / bytesPerSecond / run.Usage.Wall.TotalSeconds);

    /// <summary>
    /// The same while block volumes arrived, without start, planning and the work after the last
    /// byte.
    /// </summary>
    public Spread DataPercent => Of(run => 100 * run.DataShare);

    public Spread Of(Func<FetchRun, double> value) => Spread.Of(Runs.Select(value));
}
