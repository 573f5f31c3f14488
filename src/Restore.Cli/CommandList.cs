using Restore.Cli.Help;
using Restore.Cli.Shards;

namespace Restore.Cli;

internal static class CommandList
{
    /// <summary>The first command runs if the command line names no command.</summary>
    public static IReadOnlyList<ICliCommand> Of(SharedOptions shared)
    {
        List<ICliCommand> commands = [];
        var source = MakingOptions.Source(shared);
        commands.AddRange([
            new RestoreCommand(shared),
            new BackupCommand(shared, source),
            new TestFiltersCommand(shared, source),
            new RestorerCommand(shared),
            new VersionsCommand(shared),
            new AssessCommand(shared),
            new ListCommand(shared),
            new FindCommand(shared),
            new HistoryCommand(shared),
            new DiffCommand(shared),
            new CatCommand(shared),
            new ExportCommand(shared),
            new BrowseCommand(shared),
            new MountCommand(shared),
            new VerifyCommand(shared),
            new PlanCommand(shared),
            new RunCommand(shared),
            new FinishCommand(shared),
            new ShardEstimateCommand(shared),
            new CheckCommand(shared),
            new AffectedCommand(shared),
            new RepairCommand(shared),
            new DatabaseCommand(shared),
            new DeleteCommand(shared),
            new CompactCommand(shared),
            new SelfCheckCommand(shared),
            new JobsCommand(shared, commands),
            new StoresCommand(shared),
            new CompletionCommand(shared, commands),
            new ManCommand(shared, commands),
        ]);
        return commands;
    }
}
