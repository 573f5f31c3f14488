using System.CommandLine;

namespace Restore.Cli.Options.Groups;

/// <summary>What is printed, how, and where to.</summary>
internal sealed class OutputOptions : OptionGroup
{
    private readonly Option<bool> quiet = Declare.Flag(
        "--quiet", "Print only results and errors: no progress, notes or warnings on the error stream", "-q");

    private readonly Option<bool> verbose = Declare.Flag("--verbose", "Print on the error stream what happens; list all warnings in the summary", "-v");

    private readonly Option<string?> logFile = Declare.Text("--log-file", "FILE", null, "Append what happens, with time and level, to a file");

    private readonly Option<bool> json = Declare.Flag(
        "--json",
        "Print results as JSON: ls, find, history and diff an object on each line, others one object; restore and verify print progress before it");

    public override string Title => "Output";

    public override IReadOnlyList<Option> Options => [quiet, verbose, logFile, json];

    public override HostRequest Apply(HostRequest request, CommandLine line) => request with
    {
        Quiet = line.Value(quiet),
        Verbose = line.Value(verbose),
        LogFile = line.Value(logFile),
        Json = line.Value(json),
    };
}
