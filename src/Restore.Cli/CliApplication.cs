using System.Reflection;
using Microsoft.Extensions.Logging;
using Restore.Cli.Commands;
using Restore.Cli.Options;
using Restore.Cli.Options.Groups;
using Restore.Cli.Rendering;

namespace Restore.Cli;

/// <summary>The whole program, from arguments to exit code. Throws nothing.</summary>
internal static class CliApplication
{
    public static Task<int> RunAsync(IReadOnlyList<string> arguments, CliEnvironment environment) =>
        RunAsync(arguments, environment, CommandList.Of(new SharedOptions(environment.Clock)));

    /// <param name="arguments">The command line.</param>
    /// <param name="environment">The process.</param>
    /// <param name="commands">The commands; the first one runs if none is named.</param>
    public static async Task<int> RunAsync(IReadOnlyList<string> arguments, CliEnvironment environment, IReadOnlyList<ICliCommand> commands)
    {
        var secrets = new SecretScrubber();
        var messages = new Messages(environment.Error, secrets);
        var usage = "restore --help";
        if (arguments.Count == 0 && environment.Ask is { } ask)
        {
            return await RunWizardAsync(environment, ask, commands);
        }

        try
        {
            var parsed = CommandParser.Parse(arguments, commands, environment);
            usage = parsed.Command == commands[0] ? usage : $"restore {parsed.Command.Name} --help";
            var code = Answer(arguments, parsed, commands, environment.Output) ? ExitCodes.Complete
                : parsed.Errors.Count > 0 ? Refuse(messages, usage, [.. parsed.Errors])
                : await RunAsync(await parsed.WithJobAsync(), messages, secrets);
            await environment.Output.FlushAsync(CancellationToken.None);
            return code;
        }
        catch (Exception exception)
        {
            return await EndAsync(exception, environment, messages, usage);
        }
    }

    private static async Task<int> RunWizardAsync(CliEnvironment environment, Func<string, string?> ask, IReadOnlyList<ICliCommand> commands)
    {
        try
        {
            var wizard = new Wizard(environment, ask, (line, process) => RunAsync(line, process, CommandList.Of(new SharedOptions(process.Clock))));
            var code = await wizard.RunAsync(commands);
            await environment.Output.FlushAsync(CancellationToken.None);
            return code;
        }
        catch (OperationCanceledException)
        {
            return ExitCodes.Interrupted;
        }
    }

    /// <summary>Answers requests to the program itself, even if the rest of the command line is wrong.</summary>
    private static bool Answer(IReadOnlyList<string> arguments, ParsedCommand parsed, IReadOnlyList<ICliCommand> commands, TextWriter output)
    {
        var asked = parsed.Command.Options.OfType<ProgramOptions>().Single();
        if (parsed.Line.Value(asked.Help))
        {
            HelpText.Write(output, parsed.Command, commands);
            return true;
        }

        // Alone, --version cannot mean the version of a backup.
        if (parsed.Line.Value(asked.ProgramVersion) || arguments is ["--version"])
        {
            output.WriteLine($"restore {ProgramVersion()}");
            return true;
        }

        return false;
    }

    private static async Task<int> RunAsync(ParsedCommand parsed, Messages messages, SecretScrubber secrets)
    {
        var environment = parsed.Line.Environment;
        var request = parsed.ToRequest();
        AddSecrets(request, secrets);
        using var file = request.LogFile is null ? null : LogFile.Open(request.LogFile, environment.Clock, secrets);
        NoteWithoutEffect(parsed.WithoutEffect, request, messages);
        if (!request.Quiet && FilterNote.Of(request) is { } note)
        {
            messages.WriteLine(note);
        }

        var logger = new HostLogger(messages, ConsoleLevel(request, parsed.Command.EndsWithReport), file);
        return await RunAsync(parsed.Command, new CommandContext(request, parsed.Line, messages, logger, secrets), file);
    }

    private static string? ProgramVersion() =>
        typeof(CliApplication).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion;

    private static void AddSecrets(HostRequest request, SecretScrubber secrets)
    {
        secrets.Add(request.Backup.Passphrase);
        foreach (var secret in StorageSecrets.In(request.Storage, request.Backup.StoreOptions))
        {
            secrets.Add(secret);
        }
    }

    private static void NoteWithoutEffect(IReadOnlyList<string> options, HostRequest request, Messages messages)
    {
        if (options.Count > 0 && !request.Quiet)
        {
            messages.WriteLine($"Not needed here, no effect: {string.Join(", ", options)}");
        }
    }

    /// <summary>Warnings that a report lists at the end are not printed twice.</summary>
    private static LogLevel ConsoleLevel(HostRequest request, bool endsWithReport) =>
        request.Verbose ? LogLevel.Information : request.Quiet ? LogLevel.None : endsWithReport ? LogLevel.Error : LogLevel.Warning;

    private static async Task<int> RunAsync(ICliCommand command, CommandContext context, LogFile? file)
    {
        try
        {
            context.Logger.LogDebug("restore {Version}", ProgramVersion());
            var running = command.EndsWithReader ? WhileReadAsync(command, context) : command.RunAsync(context);
            var code = await LastWait.ForAsync(running, context.Environment.Clock, context.Environment.CancellationToken);
            context.Logger.LogDebug("Ended with exit code {Code}", code);
            return code;
        }
        catch (Exception exception)
        {
            file?.Write(LogLevel.Error, Failure.Of(exception, context.Environment.IsInterrupted).Message, exception);
            throw;
        }
    }

    private static async Task<int> WhileReadAsync(ICliCommand command, CommandContext context)
    {
        var gone = context.Environment.WatchReader();
        using var stop = CancellationTokenSource.CreateLinkedTokenSource(gone, context.Environment.StopToken);
        try
        {
            return await command.RunAsync(context with { Line = context.Line with { Environment = context.Environment with { StopToken = stop.Token } } });
        }
        catch (OperationCanceledException) when (gone.IsCancellationRequested)
        {
            return ExitCodes.Failed;
        }
    }

    private static async Task<int> EndAsync(Exception exception, CliEnvironment environment, Messages messages, string usage)
    {
        try
        {
            await environment.Output.FlushAsync(CancellationToken.None);
        }
        catch (IOException)
        {
            // The reported failure may be this one: the output is full or closed.
        }

        var failure = Failure.Of(exception, environment.IsInterrupted);
        if (failure.ExitCode == ExitCodes.Usage)
        {
            return Refuse(messages, usage, failure.Lines);
        }

        foreach (var line in failure.Lines)
        {
            messages.WriteLine(line);
        }

        return failure.ExitCode;
    }

    private static int Refuse(Messages messages, string usage, params string[] errors)
    {
        foreach (var error in errors)
        {
            messages.WriteLine(error);
        }

        messages.WriteLine($"'{usage}' shows the usage");
        return ExitCodes.Usage;
    }
}
