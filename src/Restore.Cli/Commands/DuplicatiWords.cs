namespace Restore.Cli.Commands;

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
