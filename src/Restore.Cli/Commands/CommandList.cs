using Restore.Cli.Help;
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

/// <summary>The names of Duplicati's commands for what a command here does.</summary>
internal static class DuplicatiWords
{
    /// <summary>Each word with the name of the command that it means.</summary>
    public static readonly IReadOnlyList<(string Word, string Command)> Names =
    [
        ("compare", "diff"),
        ("list", "ls"),
        ("list-file-versions", "history"),
        ("list-filesets", "versions"),
        ("list-folder-content", "ls"),
        ("list-folder-contents", "ls"),
        ("search", "find"),
        ("search-entries", "find"),
        ("search-files", "find"),
        ("test", "verify"),
    ];

    /// <summary>The command of a first word, its own or Duplicati's; null if it is neither.</summary>
    public static ICliCommand? Find(string word, IReadOnlyList<ICliCommand> commands) =>
        commands.FirstOrDefault(command => command.Name == (Names.FirstOrDefault(name => name.Word == word).Command ?? word));

    /// <summary>Duplicati's <c>list</c> is three commands here: without a name it lists the versions, and over all versions it finds.</summary>
    public static string MeaningOfList(bool hasFilter, bool allVersions) => !hasFilter ? "versions" : allVersions ? "find" : "ls";
}
