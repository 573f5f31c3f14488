using System.Text.Json;
using Restore.Cli.Options;
using Restore.Cli.Rendering;

namespace Restore.Cli.Commands;

/// <summary><c>restore check</c>: whether lists, index volumes and block volumes fit together.</summary>
internal sealed class CheckCommand(SharedOptions shared) : ICliCommand
{
    public string Name => "check";

    public string Summary => "check that lists and volumes fit together, without reading blocks";

    public IReadOnlyList<Operand> Operands => [Operand.Storage];

    public IReadOnlyList<OptionGroup> Options => [shared.Access, shared.Output, shared.Program];

    public IReadOnlyList<string> Examples => ["restore check /mnt/backup", "restore check /mnt/backup --json"];

    public bool EndsWithReport => true;

    public Task<int> RunAsync(CommandContext context) => context.WithBackupAsync(async backup =>
        CheckText.Write(context, await context.ShowAsync(view => backup.CheckAsync(view, context.Environment.StopToken))));
}

/// <summary>The report of a check or a repair.</summary>
internal static class CheckText
{
    private const int VolumesShown = 20;

    /// <returns>The exit code.</returns>
    public static int Write(CommandContext context, CheckReport report)
    {
        var code = report.WithoutIndex.Count > 0 ? ExitCodes.Incomplete : ExitCodes.OfLosses(report.Issues);
        context.Write(() => Json.Outcome(code).With(Json.Of(report)), output => Write(output, report, context.Request.Verbose));
        return code;
    }

    private static void Write(TextWriter output, CheckReport report, bool all)
    {
        output.WriteLine($"Checked {Units.Count(report.Versions, "version")}, {Units.Count(report.IndexVolumes, "index volume")} and "
            + $"{Units.Count(report.BlockVolumes, "block volume")} in {Units.Duration(report.Elapsed)}");
        output.WriteLine($"  Blocks    {Units.Number(report.Blocks)} needed, of these {Units.Number(report.LostBlocks)} in no volume; "
            + $"{Units.Number(report.UnusedBlocks)} that no entry needs ({Units.Bytes(report.UnusedBytes)}); "
            + $"{Units.Count(report.RepeatedBlocks, "further copy", "further copies")}");
        output.WriteLine($"  Fetched   {Units.Bytes(report.BytesFetched)}");
        Volumes(output, report.IndexVolumesMade, $"  Made      {Units.Count(report.IndexVolumesMade.Count, "index volume")}:", all);
        Volumes(output, report.BlockVolumesMade, $"  Made      {Units.Count(report.BlockVolumesMade.Count, "block volume")}:", all);
        var count = Units.Count(report.WithoutIndex.Count, "block volume has", "block volumes have");
        Volumes(output, report.WithoutIndex, $"  No index  {count} no index volume; 'restore repair' makes it if it can:", all);
        IssueText.Write(output, report.Issues, all);
    }

    private static void Volumes(TextWriter output, IReadOnlyList<string> names, string title, bool all)
    {
        if (names.Count > 0)
        {
            output.WriteLine(title);
        }

        foreach (var name in names.Take(all ? names.Count : VolumesShown))
        {
            output.WriteLine($"            {SafeText.Escape(name)}");
        }

        if (!all && names.Count > VolumesShown)
        {
            output.WriteLine($"            and {Units.Number(names.Count - VolumesShown)} more; --verbose and --json have them all");
        }
    }
}
