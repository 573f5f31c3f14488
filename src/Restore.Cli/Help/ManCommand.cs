namespace Restore.Cli.Help;

internal sealed class ManCommand(SharedOptions shared, IReadOnlyList<ICliCommand> commands) : ICliCommand
{
    public string Name => "man";

    public string Summary => "print the manual page";

    public IReadOnlyList<Operand> Operands => [];

    public IReadOnlyList<OptionGroup> Options => [shared.Program];

    public IReadOnlyList<string> Examples => ["restore man"];

    public Task<int> RunAsync(CommandContext context)
    {
        using StringWriter page = new() { NewLine = context.Output.NewLine };
        ManPage.Write(page, commands);
        context.Output.WriteWhole(page.ToString().TrimEnd());
        if (context.Environment.OutputIsTerminal)
        {
            context.Messages.WriteLine("'restore man | man -l -' shows it as a page");
        }

        return Task.FromResult(ExitCodes.Complete);
    }
}
