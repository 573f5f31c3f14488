namespace Restore.Cli.Commands;

internal sealed class DiffCommand(SharedOptions shared) : ICliCommand
{
    private readonly Option<bool> exitCode = Declare.Flag("--exit-code", "End with 7 if there are differences, as scripts need it");

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
        shared.TargetFolder, new("Target", [shared.KeepsPaths, shared.TrustsTimes, exitCode]),
        shared.Access, shared.Output, shared.Program,
    ];

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
        var filter = await FilterOptions.SettleAsync(
            context, backup, versions[^1], FilterOptions.FilterOf([.. context.Request.Operands.Skip(count)], []));
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

        context.Write(() => new() { ["totals"] = Json.Of(totals) }, output => output.WriteLine(DifferenceText.Line(totals)));
        if (totals.Unknown > 0)
        {
            context.Messages.WriteLine(
                $"{Units.Count(totals.Unknown, "place")} could not be listed or read, marked with ?: what differs there is not known. "
                + "Run it again as a user who may read there");
            return ExitCodes.Incomplete;
        }

        return totals.Any && context.Line.Value(exitCode) ? ExitCodes.Different : ExitCodes.Complete;
    });

    private static int Number(string text) =>
        VersionExpression.TryParse(text, out var index, out var error) ? index : throw new UsageException($"A version is named by its number: {error}");
}

internal static class DifferenceText
{
    public static void Write(TextWriter output, EntryDifference difference)
    {
        var line = Line(difference);
        output.WriteLine(difference.Change switch
        {
            EntryChange.Added => output.Green(line),
            EntryChange.Removed => output.Red(line),
            EntryChange.Unknown => output.Yellow(line),
            _ => line,
        });
    }

    public static string Line(EntryDifference difference)
    {
        var sizes = (difference.Older, difference.Newer, difference.Change) switch
        {
            (_, { } newer, EntryChange.Added) => Size(newer),
            ({ } older, _, EntryChange.Removed) => Size(older),
            ({ } older, { } newer, EntryChange.Changed) => $"{Size(older)} -> {Size(newer)}",
            ({ } older, _, _) => Size(older),
            (_, { } newer, _) => Size(newer),
            _ => "",
        };
        return string.Create(CultureInfo.InvariantCulture, $"{Letter(difference.Change)} {sizes,-28} {SafeText.Escape(difference.Path)}");
    }

    public static string Line(DifferenceTotals totals)
    {
        var unknown = totals.Unknown > 0 ? $", {Units.Number(totals.Unknown)} not known" : "";
        return $"{Units.Number(totals.Added)} added, {Units.Number(totals.Removed)} removed, {Units.Number(totals.Changed)} changed, "
            + $"{Units.Number(totals.Metadata)} with other metadata{unknown}; {Units.Bytes(totals.BytesNew)} new, {Units.Bytes(totals.BytesOld)} gone";
    }

    private static char Letter(EntryChange change) => change switch
    {
        EntryChange.Added => '+',
        EntryChange.Removed => '-',
        EntryChange.Changed => '*',
        EntryChange.Unknown => '?',
        _ => 'm',
    };

    private static string Size(EntryState state) => state.Kind switch
    {
        BackupEntryKind.Folder => "folder",
        BackupEntryKind.Symlink => "link",
        _ => Units.Count(state.SizeBytes, "byte"),
    };
}

/// <summary>Totals of a comparison. Add the differences one by one; not safe for concurrent use.</summary>
internal sealed class DifferenceTotals
{
    public long Added { get; private set; }

    public long Removed { get; private set; }

    public long Changed { get; private set; }

    public long Metadata { get; private set; }

    /// <summary>What could not be listed or read.</summary>
    public long Unknown { get; private set; }

    /// <summary>Length of the files that were added, and of the changed ones as they are now.</summary>
    public long BytesNew { get; private set; }

    /// <summary>Length of the files that were removed, and of the changed ones as they were.</summary>
    public long BytesOld { get; private set; }

    public bool Any => Added + Removed + Changed + Metadata > 0;

    public void Add(EntryDifference difference)
    {
        Added += difference.Change == EntryChange.Added ? 1 : 0;
        Removed += difference.Change == EntryChange.Removed ? 1 : 0;
        Changed += difference.Change == EntryChange.Changed ? 1 : 0;
        Metadata += difference.Change == EntryChange.Metadata ? 1 : 0;
        Unknown += difference.Change == EntryChange.Unknown ? 1 : 0;
        if (difference.Change is not (EntryChange.Metadata or EntryChange.Unknown))
        {
            BytesNew = Sum(BytesNew, difference.Newer);
            BytesOld = Sum(BytesOld, difference.Older);
        }
    }

    // Sizes are claims of the backup: their sum stays at the largest number.
    private static long Sum(long sum, EntryState? state) => long.CreateSaturating((Int128)sum + (state?.SizeBytes ?? 0));
}
