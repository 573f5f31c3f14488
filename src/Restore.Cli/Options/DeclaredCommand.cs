namespace Restore.Cli.Options;

/// <summary>
/// A command as System.CommandLine takes it: names, arguments, options and action of what an
/// <see cref="ICliCommand"/> declares.
/// </summary>
internal static class DeclaredCommand
{
    /// <summary>Adds what a command declares to its place in the tree.</summary>
    public static TCommand Declares<TCommand>(this TCommand command, ICliCommand declaration)
        where TCommand : Command
    {
        // How many arguments there may be depends on a job and on variables: CommandLine counts
        // them.
        command.TreatUnmatchedTokensAsErrors = false;
        foreach (var name in declaration.DuplicatiNames)
        {
            command.Aliases.Add(name);
        }

        foreach (var operand in declaration.Operands)
        {
            command.Arguments.Add(operand.ToArgument());
        }

        foreach (var option in declaration.Options.SelectMany(group => group.Options))
        {
            command.Options.Add(option);
        }

        command.SetAction((result, _) => ((HostInvocation)result.InvocationConfiguration).RunAsync(declaration));
        return command;
    }
}
