using System.Reflection;
using Microsoft.Extensions.Logging;
using Restore.Cli.Commands;
using Restore.Cli.Options;
using Restore.Cli.Rendering;

namespace Restore.Cli;

/// <summary>The whole program, from arguments to exit code. It throws nothing.</summary>
internal static class CliApplication
{
    public static async Task<int> RunAsync(IReadOnlyList<string> arguments, CliEnvironment environment)
    {
        var secrets = new SecretScrubber();
        var messages = new Messages(environment.Error, secrets);
        try
        {
            var code = await ParseAndRunAsync(arguments, environment, messages, secrets);
            await environment.Output.FlushAsync(CancellationToken.None);
            return code;
        }
        catch (Exception exception)
        {
            return await EndAsync(exception, environment, messages);
        }
    }

    private static async Task<int> ParseAndRunAsync(
        IReadOnlyList<string> arguments, CliEnvironment environment, Messages messages, SecretScrubber secrets)
    {
        var options = new HostOptions(environment.Clock);
        var tree = new CommandTree(options);
        var normalized = ArgumentNormalizer.Normalize(arguments, options.All, tree.Names);
        var parsed = tree.Parse(normalized.Arguments);
        if (parsed.GetValue(options.Help))
        {
            HelpText.Write(environment.Output, options);
            return ExitCodes.Complete;
        }

        if (parsed.GetValue(options.ProgramVersion))
        {
            environment.Output.WriteLine($"restore {ProgramVersion()}");
            return ExitCodes.Complete;
        }

        string[] errors = [.. normalized.Errors.Concat(parsed.Errors.Select(error => error.Message)).Distinct()];
        if (errors.Length > 0)
        {
            return Refuse(messages, errors);
        }

        var operands = tree.Operands(parsed);
        var request = RequestMapper.Map(parsed, options, operands, normalized.StoreOptions, environment);
        AddSecrets(request, secrets);
        using var file = request.LogFile is null ? null : LogFile.Open(request.LogFile, environment.Clock, secrets);
        NoteNotNeeded(normalized.NotNeeded, request, messages);
        var logger = new HostLogger(messages, ConsoleLevel(request, tree.EndsWithReport(parsed)), file);
        return await RunAsync(tree.ActionOf(parsed), new CommandContext(request, environment, messages, logger, secrets), file);
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

    private static void NoteNotNeeded(IReadOnlyList<string> options, HostRequest request, Messages messages)
    {
        if (options.Count > 0 && !request.Quiet)
        {
            messages.WriteLine($"Not needed here, no effect: {string.Join(", ", options.Distinct())}.");
        }
    }

    /// <summary>Warnings that a report lists at the end are not told twice.</summary>
    private static LogLevel ConsoleLevel(HostRequest request, bool endsWithReport) =>
        request.Verbose ? LogLevel.Information : request.Quiet ? LogLevel.None : endsWithReport ? LogLevel.Error : LogLevel.Warning;

    private static async Task<int> RunAsync(Func<CommandContext, Task<int>> action, CommandContext context, LogFile? file)
    {
        try
        {
            context.Logger.LogDebug("restore {Version}", ProgramVersion());
            var code = await action(context);
            context.Logger.LogDebug("Ended with exit code {Code}", code);
            return code;
        }
        catch (Exception exception)
        {
            file?.Write(LogLevel.Error, Failure.Of(exception, context.Environment.IsInterrupted).Message, exception);
            throw;
        }
    }

    private static async Task<int> EndAsync(Exception exception, CliEnvironment environment, Messages messages)
    {
        try
        {
            await environment.Output.FlushAsync(CancellationToken.None);
        }
        catch (IOException)
        {
            // The failure that is being reported may be this very one: the output is full or closed.
        }

        var failure = Failure.Of(exception, environment.IsInterrupted);
        if (failure.ExitCode == ExitCodes.Usage)
        {
            return Refuse(messages, failure.Lines);
        }

        foreach (var line in failure.Lines)
        {
            messages.WriteLine(line);
        }

        return failure.ExitCode;
    }

    private static int Refuse(Messages messages, params string[] errors)
    {
        foreach (var error in errors)
        {
            messages.WriteLine(error);
        }

        messages.WriteLine("'restore --help' shows how it is used.");
        return ExitCodes.Usage;
    }
}
