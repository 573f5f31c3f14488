namespace Restore.Cli.Options;

/// <summary>What the actions of commands and options get beside the parsed command line.</summary>
internal sealed class HostInvocation : InvocationConfiguration
{
    private readonly Func<ICliCommand, Task<int>> run;

    public HostInvocation(
        CliEnvironment environment,
        IReadOnlyList<ICliCommand> commands,
        Func<ICliCommand, Task<int>> run
    )
    {
        this.run = run;
        Environment = environment;
        Commands = commands;
        Output = environment.Output;
        Error = environment.Error;

        // Failures have exit codes and advice here, and an interruption ends a run in order:
        // CliApplication and Interruption.
        EnableDefaultExceptionHandler = false;
        ProcessTerminationTimeout = null;
    }

    public CliEnvironment Environment { get; }

    public IReadOnlyList<ICliCommand> Commands { get; }

    public Task<int> RunAsync(ICliCommand command) => run(command);
}
