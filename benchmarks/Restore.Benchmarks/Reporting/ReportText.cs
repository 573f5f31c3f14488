using System.Globalization;
using Restore.Benchmarks.Data;
using Restore.Benchmarks.Measuring;
using Restore.Benchmarks.Suite;
using Restore.Compression;

namespace Restore.Benchmarks.Reporting;

/// <summary>The texts that both readable reports share.</summary>
internal static class ReportText
{
    public const string Title = "Whole restores, measured";

    public const string Columns =
        "Medians with the lowest and highest in brackets; seconds, MB of 10^6 bytes. CPU is user and system time together; "
        + "sync is what writing out the page cache took afterwards; read and written are what went through system calls; "
        + "peak memory below the suite's own cannot be reported and shows as that.";

    /// <summary>Machine and conditions: name and value.</summary>
    public static IEnumerable<(string Name, string Value)> Facts(SuiteResult result)
    {
        SuiteOptions options = result.Options;
        foreach ((string, string) fact in Facts(result.Machine, result.Started, options.CommandLine))
        {
            yield return fact;
        }

        yield return (
            "Runs",
            $"{options.Runs} of each after {options.WarmUps} not counted, shuffled in every round; "
                + $"{result.PrimeBytes >> 20} MiB of memory touched before each; source and backup in the page cache; "
                + "every restored tree compared with its source"
        );
        yield return (
            "Backups",
            $"zip, {(options.Passphrase is null ? "not encrypted" : "AES")}, blocks of 1 MiB and volumes of 50 MiB unless said otherwise"
        );
    }

    /// <summary>What and where: name and value.</summary>
    public static IEnumerable<(string Name, string Value)> Facts(
        Machine machine,
        DateTimeOffset started,
        string commandLine
    )
    {
        yield return (
            "Machine",
            $"{machine.Processor}, {machine.Cores} cores, {Units.Gibibytes(machine.MemoryBytes)} GiB"
        );
        yield return ("System", $"{machine.System}; {machine.FileSystem}; {machine.Runtime}");
        yield return ("Program", $"Restore {typeof(Backup).Assembly.GetName().Version}; {new Codecs().Description}");
        yield return ("Measured", started.ToString("yyyy-MM-dd HH:mm 'UTC'", CultureInfo.InvariantCulture));
        yield return ("Command", commandLine);
    }

    /// <summary>
    /// Every case with several contenders: the wall time of the first, and how many times as long
    /// the others took.
    /// </summary>
    public static IEnumerable<Comparison> Compare(SuiteResult result) =>
        from rows in result.Summaries.GroupBy(row => (row.Scenario.Group, row.Scenario.Case))
        let first = rows.First()
        where rows.Count() > 1
        select new Comparison(
            rows.Key.Group,
            rows.Key.Case,
            first,
            [.. rows.Skip(1).Select(row => (row, row.Wall.Median / first.Wall.Median))]
        );

    /// <summary>
    /// The description of a group: the numbers of a data set, or what a sweep varies.
    /// </summary>
    public static string Describe(IGrouping<string, Summary> group, SuiteResult result)
    {
        PreparedSet set = group.First().Scenario.Set;
        string numbers = string.Create(
            CultureInfo.InvariantCulture,
            $"{set.Files.Count:N0} files, {Units.Megabytes(set.Bytes)} MB, the largest {Units.Megabytes(set.LargestBytes)} MB; "
                + $"backup {Units.Megabytes(set.BackupBytes)} MB"
        );
        return result.Options.Sweeps.Contains(group.Key)
            ? $"Full restores of {(set.Set.Kind == ContentKind.Text ? "text" : "small-random")} ({numbers} at the first point), one thing varied"
            : numbers;
    }
}

/// <summary>A case with several contenders.</summary>
/// <param name="Group">The data set.</param>
/// <param name="Case">The case.</param>
/// <param name="First">The contender that the others are compared with.</param>
/// <param name="Others">The others, each with how many times as long it took.</param>
internal sealed record Comparison(
    string Group,
    string Case,
    Summary First,
    IReadOnlyList<(Summary Row, double Factor)> Others
);
