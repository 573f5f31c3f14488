using System.CommandLine;
using Restore.Cli.Options;

namespace Restore.Cli.Commands;

/// <summary>Finds the command of a command line, and parses the rest with the options that this command declares.</summary>
internal static class CommandParser
{
    private static readonly ParserConfiguration Parsing = new() { EnablePosixBundling = false, ResponseFileTokenReplacer = null };

    public static ParsedCommand Parse(IReadOnlyList<string> arguments, IReadOnlyList<ICliCommand> commands, CliEnvironment environment)
    {
        var normalized = ArgumentNormalizer.Normalize(arguments, commands);
        var operands = new Argument<string[]>("operands") { Arity = ArgumentArity.ZeroOrMore };
        var parser = new RootCommand { operands };

        // The parser's own --version and help would conflict: --version is that of the backup here.
        parser.Options.Clear();
        parser.Directives.Clear();
        foreach (var option in normalized.Command.Options.SelectMany(group => group.Options))
        {
            parser.Options.Add(option);
        }

        var parsed = parser.Parse(normalized.Arguments, Parsing);
        return new ParsedCommand(
            normalized.Command,
            new CommandLine(parsed, parsed.GetValue(operands) ?? [], normalized.StoreOptions, environment),
            [.. normalized.WithoutEffect.Distinct()],
            [.. normalized.Errors.Concat(parsed.Errors.Select(error => error.Message)).Distinct()]);
    }
}
