using System.CommandLine;

namespace Restore.Cli.Options.Groups;

/// <summary>The report as a file.</summary>
internal sealed class ReportOptions : OptionGroup
{
    private readonly Option<string?> report = Declare.Text(
        "--report", "FILE", null,
        "Write the report to a file too, also if the run fails: JSON if its name ends with .json, a page if with .html, else text; not inside the target");

    private readonly Option<string?> notifyCommand = Declare.Text(
        "--notify-command", "PROGRAM", null,
        "Start a program after the run, also if it fails; it gets the result as variables: RESTORE_STATUS, RESTORE_EXIT_CODE, RESTORE_SUMMARY and others");

    public override string Title => "Output";

    public override IReadOnlyList<Option> Options => [report, notifyCommand];

    public override HostRequest Apply(HostRequest request, CommandLine line) =>
        request with { ReportFile = line.Value(report), NotifyCommand = line.Value(notifyCommand) };
}
