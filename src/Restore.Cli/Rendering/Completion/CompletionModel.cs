using System.CommandLine;
using Restore.Cli.Commands;

namespace Restore.Cli.Rendering.Completion;

/// <summary>The data for the scripts of all shells.</summary>
internal sealed class CompletionModel(IReadOnlyList<ICliCommand> commands)
{
    /// <summary>The command that runs if none is named.</summary>
    public ICliCommand Main => commands[0];

    /// <summary>The named commands.</summary>
    public IReadOnlyList<ICliCommand> Named { get; } = [.. commands.Skip(1)];

    public IReadOnlyList<ICliCommand> Commands => commands;

    /// <summary>Every option once, in the order of the help.</summary>
    public IReadOnlyList<Option> Options { get; } = [.. commands.SelectMany(OptionsOf).Distinct()];

    public static IEnumerable<Option> OptionsOf(ICliCommand command) => command.Options.SelectMany(group => group.Options);

    public static IEnumerable<string> NamesOf(ICliCommand command) => OptionsOf(command).SelectMany(option => option.Names());

    /// <summary>The commands that take an option.</summary>
    public IEnumerable<ICliCommand> Taking(Option option) => commands.Where(command => OptionsOf(command).Contains(option));

    /// <summary>The possible words of the first operand: another command, or what the command declares; empty if it is free text.</summary>
    public IEnumerable<string> WordsOf(ICliCommand command) =>
        command == Main ? Named.Select(named => named.Name) : command.Operands.SelectMany(operand => operand.Words);

    /// <summary>The kind of an option's value.</summary>
    public static ValueKind KindOf(Option option) => option switch
    {
        _ when !option.TakesValue() => ValueKind.None,
        _ when option.Words().Length > 0 => ValueKind.Words,
        { HelpName: "FILE" } => ValueKind.File,
        { HelpName: "FOLDER" } => ValueKind.Folder,
        _ => ValueKind.Free,
    };
}
