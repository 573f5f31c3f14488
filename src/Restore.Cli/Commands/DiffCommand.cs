namespace Restore.Cli.Commands;

internal sealed class DiffCommand(SharedOptions shared) : ICliCommand
{
    private readonly Option<bool> exitCode = Declare.Flag(
        "--exit-code",
        "End with 7 if there are differences, as scripts need it"
    );

    public string Name => "diff";

    public IReadOnlyList<string> DuplicatiNames => ["compare"];

    public string Summary => "compare two versions, or a version with a folder";

    public IReadOnlyList<Operand> Operands =>
        [
            Operand.Storage,
            new Operand("<version>", "number of the older version"),
            new Operand("[<version>]", "number of the newer version; not with --target"),
            new Operand("[path ...]", "what to compare, as 'restore ls' takes it; without one, everything"),
        ];

    public IReadOnlyList<OptionGroup> Options =>
        [
            shared.TargetFolder,
            new("Target", [shared.KeepsPaths, shared.TrustsTimes, exitCode]),
            shared.Access,
            shared.Output,
            shared.Program,
        ];

    public IReadOnlyList<string> Examples =>
        [
            "restore diff /mnt/backup 1 0",
            "restore diff /mnt/backup 3 0 /home/ann/Documents/ --json",
            "restore diff /mnt/backup 0 --target=/home/ann",
        ];

    public bool EndsWithReader => true;

    public Task<int> RunAsync(CommandContext context) =>
        context.WithBackupAsync(async backup =>
        {
            var folder = context.Request.Restore.Target;
            var count = folder is null ? 2 : 1;
            if (context.Request.Operands.Count < count)
            {
                throw new UsageException(
                    folder is null
                        ? "Name two versions by their numbers, or one and a folder with --target"
                        : "Name the version to compare with the folder by its number"
                );
            }

            var versions = context
                .Request.Operands.Take(count)
                .Select(text => backup.GetVersion(Number(text)))
                .ToArray();
            var filter = await FilterOptions.SettleAsync(
                context,
                backup,
                versions[^1],
                FilterOptions.FilterOf([.. context.Request.Operands.Skip(count)], [])
            );
            var totals = new DifferenceTotals();
            var stop = context.Environment.StopToken;
            var differences = folder is null
                ? backup.CompareAsync(versions[0], versions[1], filter, stop)
                : backup.CompareFolderAsync(versions[0], context.Request.Restore with { Filter = filter }, stop);
            await foreach (var difference in differences)
            {
                totals.Add(difference);
                context.Write(() => Json.Of(difference), output => DifferenceText.Write(output, difference));
            }

            context.Write(
                () => new() { ["totals"] = Json.Of(totals) },
                output => output.WriteLine(DifferenceText.Line(totals))
            );
            if (totals.Unknown > 0)
            {
                context.Messages.WriteLine(
                    $"{Units.Count(totals.Unknown, "place")} could not be listed or read, marked with ?: what differs there is not known. "
                        + "Run it again as a user who may read there"
                );
                return ExitCodes.Incomplete;
            }

            return totals.Any && context.Line.Value(exitCode) ? ExitCodes.Different : ExitCodes.Complete;
        });

    private static int Number(string text) =>
        VersionExpression.TryParse(text, out var index, out var error)
            ? index
            : throw new UsageException($"A version is named by its number: {error}");
}
