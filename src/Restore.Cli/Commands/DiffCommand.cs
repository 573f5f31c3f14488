using Restore.Cli.Options;
using Restore.Cli.Options.Groups;
using Restore.Cli.Parsing;
using Restore.Cli.Rendering;

namespace Restore.Cli.Commands;

/// <summary><c>restore diff</c>: what differs between two versions, or between a version and a folder.</summary>
internal sealed class DiffCommand(SharedOptions shared) : ICliCommand
{
    private readonly ComparisonOptions comparison = new(shared.Target);

    public string Name => "diff";

    public string Summary => "compare two versions, or a version with a folder";

    public IReadOnlyList<Operand> Operands =>
    [
        Operand.Storage,
        new Operand("<version>", "number of the older version"),
        new Operand("[<version>]", "number of the newer version; not with --target"),
        new Operand("[path ...]", "what to compare, as 'restore ls' takes it; without one, everything"),
    ];

    public IReadOnlyList<OptionGroup> Options => [shared.TargetFolder, comparison, shared.Access, shared.Output, shared.Program];

    public IReadOnlyList<string> Examples =>
        ["restore diff /mnt/backup 1 0", "restore diff /mnt/backup 3 0 /home/ann/Documents/ --json", "restore diff /mnt/backup 0 --target=/home/ann"];

    public bool EndsWithReader => true;

    public Task<int> RunAsync(CommandContext context) => context.WithBackupAsync(async backup =>
    {
        var folder = context.Request.Restore.Target;
        var count = folder is null ? 2 : 1;
        if (context.Request.Operands.Count < count)
        {
            throw new UsageException(folder is null
                ? "Name two versions by their numbers, or one and a folder with --target"
                : "Name the version to compare with the folder by its number");
        }

        var versions = context.Request.Operands.Take(count).Select(text => backup.GetVersion(Number(text))).ToArray();
        var filter = ListCommand.FilterOf([.. context.Request.Operands.Skip(count)], []);
        var totals = new DifferenceTotals();
        var stop = context.Environment.StopToken;
        var differences = folder is null
            ? backup.CompareAsync(versions[0], versions[1], filter, stop)
            : backup.CompareFolderAsync(versions[0], context.Request.Restore with { Filter = filter }, stop);
        await foreach (var difference in differences)
        {
            totals.Add(difference);
            Write(context, difference);
        }

        WriteTotals(context, totals);
        return totals.Any && comparison.TellsByExitCode(context.Line) ? ExitCodes.Different : ExitCodes.Complete;
    });

    private static int Number(string text) =>
        VersionExpression.TryParse(text, out var index, out var error) ? index : throw new UsageException($"A version is named by its number: {error}");

    private static void Write(CommandContext context, EntryDifference difference)
    {
        if (context.Request.Json)
        {
            Json.Write(context.Output, json => DifferenceText.Write(json, difference));
        }
        else
        {
            context.Output.WriteLine(DifferenceText.Line(difference));
        }
    }

    private static void WriteTotals(CommandContext context, DifferenceTotals totals)
    {
        if (context.Request.Json)
        {
            Json.Write(context.Output, json => DifferenceText.Write(json, totals));
        }
        else
        {
            context.Output.WriteLine(DifferenceText.Line(totals));
        }
    }
}
