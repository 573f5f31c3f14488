using Restore.Cli.Options;
using Restore.Cli.Rendering;

namespace Restore.Cli.Commands;

/// <summary><c>restore man</c>: the manual page, generated from the declarations of all commands.</summary>
internal sealed class ManCommand(SharedOptions shared, IReadOnlyList<ICliCommand> commands) : ICliCommand
{
    public string Name => "man";

    public string Summary => "print the manual page";

    public IReadOnlyList<Operand> Operands => [];

    public IReadOnlyList<OptionGroup> Options => [shared.Program];

    public IReadOnlyList<string> Examples => ["restore man"];

    public Task<int> RunAsync(CommandContext context)
    {
        if (context.Request.Operands.Count > 0)
        {
            throw new UsageException("The manual page is one for all commands; 'restore man | man -l -' shows it");
        }

        ManPage.Write(context.Output, commands);
        return Task.FromResult(ExitCodes.Complete);
    }
}
