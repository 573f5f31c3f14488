using System.CommandLine;
using Restore.Cli.Options;

namespace Restore.Cli.Commands;

/// <summary>The commands of the program, and which code each of them runs.</summary>
internal sealed class CommandTree
{
    private static readonly ParserConfiguration Parsing = new() { EnablePosixBundling = false, ResponseFileTokenReplacer = null };

    private readonly Dictionary<string, Func<CommandContext, Task<int>>> actions = new(StringComparer.Ordinal);
    private readonly Argument<string[]> operands = new("operands") { Arity = ArgumentArity.ZeroOrMore };
    private readonly RootCommand root = new();

    public CommandTree(HostOptions options)
    {
        // Its own --version and help would be in the way: --version is the backup's here.
        root.Options.Clear();
        root.Directives.Clear();
        foreach (var option in options.All)
        {
            root.Options.Add(option);
        }

        root.Arguments.Add(operands);

        // Without an action the parser would ask for a command.
        root.SetAction(static _ => ExitCodes.Complete);
        Add("versions", VersionsCommand.RunAsync);
        Add("ls", ListCommand.RunAsync);
        Add("find", FindCommand.RunAsync);
        Add("verify", VerifyCommand.RunAsync);
    }

    /// <summary>Names of the commands; without one of them it is a restore.</summary>
    public IReadOnlyCollection<string> Names => actions.Keys;

    public ParseResult Parse(IReadOnlyList<string> arguments) => root.Parse(arguments, Parsing);

    public IReadOnlyList<string> Operands(ParseResult parsed) => parsed.GetValue(operands) ?? [];

    public Func<CommandContext, Task<int>> ActionOf(ParseResult parsed) =>
        actions.GetValueOrDefault(parsed.CommandResult.Command.Name, RestoreCommand.RunAsync);

    /// <summary>Whether the command ends with a report, which has the warnings in it.</summary>
    public bool EndsWithReport(ParseResult parsed) => parsed.CommandResult.Command == root || parsed.CommandResult.Command.Name == "verify";

    private void Add(string name, Func<CommandContext, Task<int>> action)
    {
        actions.Add(name, action);
        root.Subcommands.Add(new Command(name) { operands });
    }
}
