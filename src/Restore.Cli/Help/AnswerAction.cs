using System.CommandLine.Invocation;

namespace Restore.Cli.Help;

/// <summary>
/// Answers a question about the program itself, even if the rest of the command line is wrong. No
/// command runs.
/// </summary>
internal abstract class AnswerAction : SynchronousCommandLineAction
{
    public override bool ClearsParseErrors => true;

    public sealed override int Invoke(ParseResult parseResult)
    {
        Answer(parseResult, (HostInvocation)parseResult.InvocationConfiguration);
        return ExitCodes.Complete;
    }

    protected abstract void Answer(ParseResult result, HostInvocation invocation);
}
