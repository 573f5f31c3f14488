namespace Restore.Cli.Options;

/// <summary>
/// The commands as System.CommandLine takes them: the first one is the root, which runs if no other
/// is named.
/// </summary>
internal static class CommandTree
{
    /// <summary>
    /// Nothing of Duplicati's form is left for the library to guess: a filter can begin with '@',
    /// and '-lv' is no option.
    /// </summary>
    private static readonly ParserConfiguration Configuration = new()
    {
        EnablePosixBundling = false,
        ResponseFileTokenReplacer = null,
    };

    /// <param name="arguments">The command line, as <see cref="DuplicatiForm.ToArguments"/> writes
    /// it.</param>
    /// <param name="commands">The commands.</param>
    public static ParseResult Parse(IReadOnlyList<string> arguments, IReadOnlyList<ICliCommand> commands) =>
        Of(commands, RootCommand.ExecutableName).Parse(arguments, Configuration);

    /// <param name="commands">The commands.</param>
    /// <param name="program">The name of the program's file, which the library takes for the name
    /// of the root.</param>
    public static Command Of(IReadOnlyList<ICliCommand> commands, string program)
    {
        var root = Root(commands, program).Declares(commands[0]);
        foreach (var command in commands.Skip(1))
        {
            root.Subcommands.Add(new Command(command.Name, command.Summary).Declares(command));
        }

        return root;
    }

    private static Command Root(IReadOnlyList<ICliCommand> commands, string program)
    {
        // A copy of the program called 'backup' must not have two commands of that name.
        if (commands.Skip(1).Any(command => command.Name == program || command.DuplicatiNames.Contains(program)))
        {
            return new Command(commands[0].Name, commands[0].Summary);
        }

        // Help, version and completions are options and commands of this program.
        var root = new RootCommand(commands[0].Summary);
        root.Options.Clear();
        root.Directives.Clear();
        return root;
    }
}
