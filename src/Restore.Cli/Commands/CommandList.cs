using Restore.Cli.Options;
using Restore.Cli.Shards;

namespace Restore.Cli.Commands;

/// <summary>All commands.</summary>
internal static class CommandList
{
    /// <returns>The commands; the first one runs if none is named.</returns>
    public static IReadOnlyList<ICliCommand> Of(SharedOptions shared)
    {
        List<ICliCommand> commands = [];
        commands.AddRange(
        [
            new RestoreCommand(shared),
            new BackupCommand(shared),
            new VersionsCommand(shared),
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
            new JobsCommand(shared),
            new StoresCommand(shared),
            new CompletionCommand(shared, commands),
            new ManCommand(shared, commands),
        ]);
        return commands;
    }
}
