namespace Restore.Cli.Help;

internal sealed class CompletionModel(IReadOnlyList<ICliCommand> commands)
{
    /// <summary>The command that runs if the command line names no command.</summary>
    public ICliCommand Main => commands[0];

    public IReadOnlyList<ICliCommand> Named { get; } = [.. commands.Skip(1)];

    public IReadOnlyList<ICliCommand> Commands => commands;

    public IReadOnlyList<Option> Options { get; } = [.. commands.SelectMany(OptionsOf).Distinct()];

    public static IEnumerable<Option> OptionsOf(ICliCommand command) =>
        command.Options.SelectMany(group => group.Options);

    public static IEnumerable<string> NamesOf(ICliCommand command) =>
        OptionsOf(command).SelectMany(option => option.Names);

    public IEnumerable<ICliCommand> Taking(Option option) =>
        commands.Where(command => OptionsOf(command).Contains(option));

    /// <summary>
    /// The possible words of the first operand: another command, or what the command declares;
    /// empty if it is free text.
    /// </summary>
    public IEnumerable<string> WordsOf(ICliCommand command) =>
        command == Main ? Named.Select(named => named.Name) : command.Operands.SelectMany(operand => operand.Words);

    public static ValueKind KindOf(Option option) =>
        option switch
        {
            _ when !option.TakesValue => ValueKind.None,
            _ when option.Words.Length > 0 => ValueKind.Words,
            { ValueName: "FILE" } => ValueKind.File,
            { ValueName: "FOLDER" } => ValueKind.Folder,
            _ => ValueKind.Free,
        };
}
