namespace Restore.Cli.Commands;

internal sealed class TestFiltersCommand(SharedOptions shared, OptionGroup source) : ICliCommand
{
    public string Name => "test-filters";

    public IReadOnlyList<string> DuplicatiNames => ["test-filter"];

    public string Summary => "list what a backup would take and leave out, and why";

    public IReadOnlyList<Operand> Operands => [Operand.Sources];

    public IReadOnlyList<OptionGroup> Options =>
        [
            source,
            new(AccessOptions.Title, shared.Job.Options) { Job = shared.Job, IsGeneral = true },
            shared.Output,
            shared.Program,
        ];

    public IReadOnlyList<string> Examples =>
        [
            "restore test-filters /home/ann --exclude='*.tmp' --exclude={CacheFiles}",
            "restore test-filters --from-config=/mnt/photos.json",
        ];

    public bool EndsWithReader => true;

    public async Task<int> RunAsync(CommandContext context)
    {
        var options = context.Request.Writer with
        {
            Sources = BackupSources.Of(context, context.Request.Operands),
            Destination = BackupSources.PlaceOf(context),
            Filter = BackupSources.FilterOf(context),
            Decisions = new DecisionText(context.Output, context.Request.Json),
            TimeProvider = context.Environment.Clock,
        };
        var listing = await new BackupWriter(options).ListSourcesAsync(context.Environment.StopToken);
        var sum =
            $"{Units.Count(listing.Files, "file")} ({Units.Bytes(listing.Bytes)}), {Units.Count(listing.Folders, "folder")}, "
            + $"{Units.Count(listing.Symlinks, "link")}; {Units.Number(listing.LeftOut)} left out";
        if (context.Request.Json)
        {
            context.Messages.WriteLine(sum);
        }
        else
        {
            context.Output.WriteLine(sum);
        }

        foreach (var issue in listing.Issues)
        {
            context.Messages.WriteLine($"{SafeText.Escape(issue.Path)}: {SafeText.Escape(issue.Reason)}");
        }

        return ExitCodes.OfLosses(listing.Issues);
    }
}
