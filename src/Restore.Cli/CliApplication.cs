using Microsoft.Extensions.Logging;
using Restore.Cli.Help;
using Restore.Cli.Interop;

namespace Restore.Cli;

/// <summary>The whole program, from arguments to exit code. Throws nothing.</summary>
internal static class CliApplication
{
    private static readonly TimeSpan LastPatience = TimeSpan.FromSeconds(5);

    public static Task<int> RunAsync(IReadOnlyList<string> arguments, CliEnvironment environment) =>
        RunAsync(arguments, environment, CommandList.Of(new SharedOptions(environment.Clock)));

    public static async Task<int> RunAsync(
        IReadOnlyList<string> arguments,
        CliEnvironment environment,
        IReadOnlyList<ICliCommand> commands
    )
    {
        var secrets = new KnownSecrets();
        var messages = new Messages(environment.Error, secrets)
        {
            Columns = environment.CanDraw ? environment.TerminalWidth : null,
        };
        var json = new FailureJson(arguments, environment, secrets);
        var usage = "restore --help";
        if (arguments.Count == 0 && environment.Ask is not null)
        {
            return await RunWizardAsync(environment, WizardOptions.None, commands);
        }

        try
        {
            // Alone, --version cannot mean the version of a backup.
            var given = arguments is ["--version"] ? [VersionAction.OptionName] : arguments;
            var line = await UntilStoppedAsync(() => CommandLine.Parse(given, commands, environment), environment);
            usage = line.Command == commands[0] ? usage : $"restore {line.Command.Name} --help";
            if (line.Result.Action is not AnswerAction && line.Errors.Count > 0)
            {
                json.Write(new Failure(ExitCodes.Usage, string.Join("; ", line.Errors)));
                return Refuse(messages, usage, [.. line.Errors]);
            }

            if (
                environment.Ask is not null
                && line.Result.Action is not AnswerAction
                && WizardOptions.Of(line, commands[0], new SharedOptions(environment.Clock)) is { } options
            )
            {
                return await RunWizardAsync(environment, options, commands);
            }

            var onlyPrints = true;
            var code = await line.Result.InvokeAsync(
                new HostInvocation(
                    environment,
                    commands,
                    async _ =>
                    {
                        // A job is read only for a command that runs, not for its help: it may ask
                        // for a key.
                        line = await line.WithJobAsync();
                        var request = await UntilStoppedAsync(line.ToRequest, environment);
                        onlyPrints = request.DryRun || line.Command.OnlyPrints(line);
                        return await RunAsync(line, request, messages, secrets);
                    }
                )
            );
            await environment.Output.FlushAsync(CancellationToken.None);
            return environment.OutputFailure() is { } failure ? Lost(messages, failure, code, onlyPrints) : code;
        }
        catch (Exception exception)
        {
            return await EndAsync(exception, environment, messages, usage, json);
        }
    }

    /// <summary>
    /// The work is done although its report is lost. What only prints has not done anything.
    /// </summary>
    private static int Lost(Messages messages, Exception failure, int code, bool isResult)
    {
        messages.WriteLine(
            $"{(isResult ? "" : "Warning: ")}The standard output could not be written ({failure.Message})"
        );
        return isResult && code == ExitCodes.Complete ? ExitCodes.Failed : code;
    }

    private static async Task<int> RunWizardAsync(
        CliEnvironment environment,
        WizardOptions given,
        IReadOnlyList<ICliCommand> commands
    )
    {
        try
        {
            var wizard = new Wizard(
                environment,
                environment.Ask!,
                given,
                (line, process) => RunAsync(line, process, CommandList.Of(new SharedOptions(process.Clock)))
            );
            var code = await wizard.RunAsync(commands);
            await environment.Output.FlushAsync(CancellationToken.None);
            return code;
        }
        catch (OperationCanceledException)
        {
            return ExitCodes.Interrupted;
        }
    }

    private static async Task<int> RunAsync(
        CommandLine line,
        HostRequest request,
        Messages messages,
        KnownSecrets secrets
    )
    {
        if (!OperatingSystem.IsWindows() && !HostLibc.IsWorkingFolderText())
        {
            throw new UsageException(
                $"The working folder ({Environment.CurrentDirectory}) is not in UTF-8, so it cannot be named here; start in another one"
            );
        }

        secrets.Add(request);
        LocationHint.Check(line.LocationOf(request));
        OpenSslCheck.Require(line.Environment.Variable);
        TargetPlace.CheckFiles(request, line.LocationOf(request));
        using var file =
            request.LogFile is null || line.Command.LeavesLog(line)
                ? null
                : await UntilStoppedAsync(
                    () => LogFile.Open(request.LogFile, line.Environment.Clock, secrets, messages.WriteLine),
                    line.Environment
                );
        if (line.WithoutEffect.Count > 0 && !request.Quiet)
        {
            messages.WriteLine($"Not needed here, no effect: {string.Join(", ", line.WithoutEffect)}");
        }

        if (!request.Quiet && FilterNote.Of(request) is { } note)
        {
            messages.WriteLine(note);
        }

        var logger = new HostLogger(messages, ConsoleLevel(request, line.Command.EndsWithReport), file);
        return await RunAsync(line.Command, new CommandContext(request, line, messages, logger, secrets), file);
    }

    /// <summary>
    /// A file that an option names can be a pipe, which waits for another program until the first
    /// interruption.
    /// </summary>
    private static Task<T> UntilStoppedAsync<T>(Func<T> open, CliEnvironment environment) =>
        Task.Run(open).WaitAsync(environment.StopToken);

    /// <summary>Warnings that a report lists at the end are not printed twice.</summary>
    private static LogLevel ConsoleLevel(HostRequest request, bool endsWithReport) =>
        request.Verbose ? LogLevel.Information
        : request.Quiet ? LogLevel.None
        : endsWithReport ? LogLevel.Error
        : LogLevel.Warning;

    private static async Task<int> RunAsync(ICliCommand command, CommandContext context, LogFile? file)
    {
        try
        {
            context.Logger.LogDebug("restore {Version}", VersionAction.ProgramVersion());
            using var awake = Awake.During(
                command.RunsLong,
                context.Line.Foreign.Any(given => given is { Name: Awake.Option, Value: not "false" })
            );
            var running = command.EndsWithReader ? WhileReadAsync(command, context) : command.RunAsync(context);
            var code = await WaitAsync(running, context.Environment.Clock, context.Environment.CancellationToken);
            context.Logger.LogDebug("Ended with exit code {Code}", code);
            return code;
        }
        catch (Exception exception)
        {
            file?.Write(LogLevel.Error, Failure.Of(exception, context.Environment.IsInterrupted).Message, exception);
            throw;
        }
    }

    /// <summary>
    /// Waits for a command, after the second interruption for a few seconds only: a read of a dead
    /// disk or share may never return.
    /// </summary>
    internal static async Task<int> WaitAsync(
        Task<int> command,
        TimeProvider clock,
        CancellationToken cancellationToken
    )
    {
        try
        {
            // The command gets the same token. This wait is for a command that cannot react to it.
            return await command.WaitAsync(cancellationToken);
        }
        catch (OperationCanceledException) when (!command.IsCompleted)
        {
            try
            {
                return await command.WaitAsync(LastPatience, clock, CancellationToken.None);
            }
            catch (TimeoutException)
            {
                throw new OperationCanceledException("The command did not end in time", cancellationToken);
            }
        }
    }

    private static async Task<int> WhileReadAsync(ICliCommand command, CommandContext context)
    {
        var gone = context.Environment.WatchReader();
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(gone, context.Environment.StopToken);
        try
        {
            return await command.RunAsync(
                context with
                {
                    Line = context.Line with { Environment = context.Environment with { StopToken = stop.Token } },
                }
            );
        }
        catch (OperationCanceledException) when (gone.IsCancellationRequested)
        {
            return ExitCodes.Failed;
        }
    }

    private static async Task<int> EndAsync(
        Exception exception,
        CliEnvironment environment,
        Messages messages,
        string usage,
        FailureJson json
    )
    {
        try
        {
            json.Write(Failure.Of(exception, environment.IsInterrupted));
            await environment.Output.FlushAsync(CancellationToken.None);
        }
        catch (IOException)
        {
            // The reported failure may be this one: the output is full or closed.
        }

        var failure = Failure.Of(exception, environment.IsInterrupted);
        if (failure.ExitCode == ExitCodes.Usage)
        {
            return Refuse(messages, environment.IsGuide ? null : usage, failure.Lines);
        }

        messages.WriteLine(failure.Message);
        if ((environment.IsGuide ? GuideAdvice.Of(failure.Advice ?? "") : failure.Advice) is { } advice)
        {
            messages.WriteLine(advice);
        }

        return failure.ExitCode;
    }

    /// <param name="messages">Where to say it.</param>
    /// <param name="usage">The command that shows the usage; null if the user gave no command.</param>
    /// <param name="errors">What is wrong.</param>
    private static int Refuse(Messages messages, string? usage, params string[] errors)
    {
        foreach (var error in errors)
        {
            messages.WriteLine(error);
        }

        if (usage is not null)
        {
            messages.WriteLine($"'{usage}' shows the usage");
        }

        return ExitCodes.Usage;
    }
}
