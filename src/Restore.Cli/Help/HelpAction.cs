namespace Restore.Cli.Help;

/// <summary>
/// Prints the help of a command, the first screen, or a page of <c>restore help</c>.
/// </summary>
internal sealed class HelpAction : AnswerAction
{
    protected override void Answer(ParseResult result, HostInvocation invocation)
    {
        using var help = new StringWriter { NewLine = invocation.Output.NewLine };
        Write(help, result, invocation.Commands);
        HelpLines.WriteFitted(help.ToString(), invocation.Environment);
    }

    private static void Write(TextWriter output, ParseResult result, IReadOnlyList<ICliCommand> commands)
    {
        var command =
            commands.FirstOrDefault(command => command.Name == result.CommandResult.Command.Name) ?? commands[0];
        var isTopic =
            command == commands[0]
            && result.CommandResult.Tokens is [var topic, ..]
            && HelpTopics.TryWrite(output, topic.Value, commands);
        if (!isTopic)
        {
            HelpText.Write(output, command, commands);
        }
    }
}
