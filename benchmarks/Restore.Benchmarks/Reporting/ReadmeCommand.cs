using Restore.Benchmarks.Goals;
using Restore.Benchmarks.Suite;

namespace Restore.Benchmarks.Reporting;

/// <summary>
/// Writes the speed table of README.md from the committed results, or checks that it is theirs.
/// Runs in the repository.
/// </summary>
internal static class ReadmeCommand
{
    private const string Start = "<!-- speed: written by the benchmark program's command readme -->\n";
    private const string End = "<!-- end of speed -->\n";

    /// <summary>The run that README.md shows.</summary>
    private static readonly string Results = Path.Combine("benchmarks", "results", "2026-11-27-goals", "goals.csv");

    public static async Task<int> RunAsync(Arguments arguments, TextWriter output)
    {
        bool isCheck = arguments.Text("check") is "yes";
        arguments.RequireAllUsed();
        string text = await File.ReadAllTextAsync("README.md");
        string written = Replace(text, SpeedTable.Write(GoalReport.ReadCsv(await File.ReadAllLinesAsync(Results))));
        if (written == text)
        {
            return 0;
        }

        if (isCheck)
        {
            await output.WriteLineAsync(
                "The speed table of README.md is not that of benchmarks/results: write it with the command readme."
            );
            return 1;
        }

        await File.WriteAllTextAsync("README.md", written);
        return 0;
    }

    private static string Replace(string text, string table)
    {
        int start = text.IndexOf(Start, StringComparison.Ordinal);
        int end = text.IndexOf(End, StringComparison.Ordinal);
        return start >= 0 && end > start
            ? $"{text[..(start + Start.Length)]}{table}{text[end..]}"
            : throw new SuiteException("README.md has no place for the speed table.");
    }
}
