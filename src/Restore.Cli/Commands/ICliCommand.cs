using Restore.Cli.Help;
using Restore.Cli.Shards;

namespace Restore.Cli.Commands;

/// <summary>A command of the program: one file, and one line in <see cref="CommandList"/>. Parser, help, manual and shell completions follow
/// from its declarations.</summary>
internal interface ICliCommand
{
    string Name { get; }
    string Summary { get; }
    IReadOnlyList<Operand> Operands { get; }
    IReadOnlyList<OptionGroup> Options { get; }
    IReadOnlyList<string> Examples { get; }

    /// <summary>True if it ends with a report, which lists the warnings: they are not printed before.</summary>
    bool EndsWithReport => false;

    /// <summary>True if it only lists: it ends silently when the reader of its output goes away.</summary>
    bool EndsWithReader => false;

    /// <summary>True if another process does the work, and writes the log.</summary>
    bool LeavesLog(CommandLine line) => false;

    Task<int> RunAsync(CommandContext context);
}

internal sealed record Operand(string Form, string Meaning)
{
    public static readonly Operand Storage = new("<storage-url-or-folder>", "where the backup is: /mnt/backup, s3://bucket/folder, ssh://host/folder");

    /// <summary>The backup that is written to, which may not exist yet.</summary>
    public static readonly Operand Destination = new("<storage-url-or-folder>", "where the backup is or is to be: /mnt/backup, s3://bucket/folder");

    public static readonly Operand Filters = new("[filter ...]", "what to take; without one, everything") { Title = "Filters", Details = FilterForms };

    public static readonly Operand PlanFile = new("<plan-file>", "a plan that 'restore plan' has saved, in a folder that all machines share");

    /// <summary>Where the backup is, if the plan does not say it in a way that works here.</summary>
    public static readonly Operand OtherPlace = new("[storage-url-or-folder]", "where the backup is; without it, where the plan found it");

    private const string FilterForms = """
        notes.txt              files of that name, wherever they are
        /home/ann/             a folder and all that is in it
        /home/ann/notes.txt    that file; if it is a folder, all that is in it too
        '*.jpg'                * is any run of characters, ? any one
        '[.*\.(jpg|png)']      a regular expression for the whole path
        '@/a/what?.txt'        exactly that path, without wildcards
        The first filter that matches an entry decides.
        What none matches is taken only if there is an --exclude.
        """;

    public static string PlanFileOf(HostRequest request) =>
        request.Operands.Count > 0 ? request.Operands[0] : throw new UsageException("The file of the plan is missing");

    public string? Title { get; init; }
    public string Details { get; init; } = "";

    /// <summary>The possible words; empty if it is free text.</summary>
    public IReadOnlyList<string> Words { get; init; } = [];
}

internal static class CommandList
{
    /// <summary>The first command runs if none is named.</summary>
    public static IReadOnlyList<ICliCommand> Of(SharedOptions shared)
    {
        List<ICliCommand> commands = [];
        commands.AddRange(
        [
            new RestoreCommand(shared),
            new BackupCommand(shared),
            new RestorerCommand(shared),
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
            new SelfCheckCommand(shared),
            new JobsCommand(shared),
            new StoresCommand(shared),
            new CompletionCommand(shared, commands),
            new ManCommand(shared, commands),
        ]);
        return commands;
    }
}

internal static class DuplicatiWords
{
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

    /// <summary>The command of a first word, which may be Duplicati's name for it; null if it is neither.</summary>
    public static ICliCommand? Find(string word, IReadOnlyList<ICliCommand> commands) =>
        commands.FirstOrDefault(command => command.Name == (Names.FirstOrDefault(name => name.Word == word).Command ?? word));

    /// <summary>Duplicati's <c>list</c> is three commands here: without a name it lists the versions, and over all versions it finds.</summary>
    public static string MeaningOfList(bool hasFilter, bool allVersions) => !hasFilter ? "versions" : allVersions ? "find" : "ls";
}
