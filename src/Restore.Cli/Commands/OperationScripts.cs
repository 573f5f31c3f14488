using Restore.Interop;

namespace Restore.Cli.Commands;

/// <summary>
/// Programs of the user's around an operation, as in Duplicati: with its variables, and with what
/// exit codes mean there. They get no secret, and cannot change the options of the operation.
/// </summary>
internal sealed class OperationScripts
{
    private const int LastHarmless = 1;

    private readonly CommandContext context;
    private readonly ScriptRequest scripts;
    private readonly Dictionary<string, string> variables = [];

    private OperationScripts(
        CommandContext context,
        ScriptRequest scripts,
        string location,
        IReadOnlyList<string> sources
    )
    {
        (this.context, this.scripts) = (context, scripts);
        foreach (var (option, value) in context.Line.Given.Where(given => !ForeignOptions.IsSecret(given.Option.Name)))
        {
            variables[VariableOf(option.Name)] = string.Create(CultureInfo.InvariantCulture, $"{value}");
        }

        foreach (var (name, value) in context.Line.Foreign.Where(given => !ForeignOptions.IsSecret(given.Name)))
        {
            variables[VariableOf(name)] = value ?? "";
        }

        variables["DUPLICATI__backup_name"] = context.Line.Job?.Name ?? "restore";
        var command = context.Line.Command.Name;
        variables["DUPLICATI__OPERATIONNAME"] = char.ToUpperInvariant(command[0]) + command[1..];
        variables["DUPLICATI__REMOTEURL"] = StorageLocation.Shown(location);
        if (sources.Count > 0)
        {
            variables["DUPLICATI__LOCALPATH"] = string.Join(Path.PathSeparator, sources);
        }
    }

    private enum Start
    {
        Goes,
        EndsWell,
        EndsBadly,
    }

    /// <returns>The exit code of the operation, or the exit code of the program that prevents
    /// it.</returns>
    public static async Task<int> RunAsync(
        CommandContext context,
        ScriptOptions options,
        string location,
        IReadOnlyList<string> sources,
        Func<Task<int>> operation
    )
    {
        var scripts = options.Of(context.Line);
        foreach (var program in scripts.All.Select(script => script[0]))
        {
            RequireProgram(context, program);
        }

        if (!scripts.All.Any())
        {
            return await operation();
        }

        if (context.Request.DryRun)
        {
            context.Messages.WriteLine(
                $"Dry run: not started: {string.Join(", ", scripts.All.Select(script => script[0]))}"
            );
            return await operation();
        }

        return await new OperationScripts(context, scripts, location, sources).RunAsync(operation);
    }

    private static void RequireProgram(CommandContext context, string program)
    {
        if (SystemPrograms.Find(program, context.Environment.Variable("PATH") ?? "") is null)
        {
            throw new CommandException(
                ExitCodes.Failed,
                $"There is no program {program}, so nothing was done",
                "Give its path; arguments only with --run-script-with-arguments"
            );
        }
    }

    private async Task<int> RunAsync(Func<Task<int>> operation)
    {
        var (code, result) = (ExitCodes.Failed, "Fatal");
        try
        {
            code = await BeginAsync() switch
            {
                Start.Goes => await operation(),
                Start.EndsWell => ExitCodes.Complete,
                _ => ExitCodes.Failed,
            };
            result = code switch
            {
                ExitCodes.Complete => "Success",
                ExitCodes.Incomplete => "Warning",
                _ => "Error",
            };
            return code;
        }
        finally
        {
            await EndAsync(code, result);
        }
    }

    private async Task<Start> BeginAsync()
    {
        if (scripts.Required.Count > 0 && await RunAsync(scripts.Required, "BEFORE") is not 0 and var failed)
        {
            throw new CommandException(
                ExitCodes.Failed,
                $"--run-script-before-required: {scripts.Required[0]} {Ending(failed)}, so nothing was done",
                "It must end with exit code 0 within --run-script-timeout"
            );
        }

        if (scripts.Before.Count == 0 || await RunAsync(scripts.Before, "BEFORE") is not { } code)
        {
            return Start.Goes;
        }

        if (code > LastHarmless)
        {
            context.Messages.WriteLine($"--run-script-before: {scripts.Before[0]} {Ending(code)}");
        }

        // As in Duplicati: 0, 2 and 4 mean success, a warning and an error, and the operation runs.
        // 1, 3 and 5 mean the same without the operation. Any other code is an error.
        if (code is 0 or 2 or 4)
        {
            return Start.Goes;
        }

        context.Messages.WriteLine($"Nothing was done: the program of --run-script-before {Ending(code)}");
        return code == 1 ? Start.EndsWell : Start.EndsBadly;
    }

    private async Task EndAsync(int code, string result)
    {
        if (scripts.After.Count == 0)
        {
            return;
        }

        // The program expects a file with the result, as from Duplicati. Nothing of the backup is
        // in it.
#pragma warning disable RS0030
        var file = Path.GetTempFileName();
#pragma warning restore RS0030
        try
        {
            await File.WriteAllTextAsync(
                file,
                $"OperationName: {variables["DUPLICATI__OPERATIONNAME"]}\nParsedResult: {result}\nExitCode: {code}\n",
                CancellationToken.None
            );
            variables["DUPLICATI__PARSED_RESULT"] = result;
            variables["DUPLICATI__RESULTFILE"] = file;
            if (await RunAsync(scripts.After, "AFTER") is > LastHarmless and var ended)
            {
                context.Messages.WriteLine($"Warning: --run-script-after: {scripts.After[0]} {Ending(ended)}");
            }
        }
        finally
        {
            File.Delete(file);
        }
    }

    /// <returns>The exit code; null if the program could not be started or did not end in
    /// time.</returns>
    private async Task<int?> RunAsync(IReadOnlyList<string> script, string eventName)
    {
        variables["DUPLICATI__EVENTNAME"] = eventName;
        try
        {
            var path = SystemPrograms.Find(script[0], context.Environment.Variable("PATH") ?? "") ?? script[0];
            var start = SystemPrograms.StartInfo(
                path,
                script.Skip(1),
                alsoPassed: name => !PassphraseCommand.IsOwnSecret(name)
            );
            foreach (var (name, value) in variables)
            {
                // A secret can be a part of a value that is not secret by its name, such as a URL.
                start.Environment[name] = context.Secrets.Scrub(value);
            }

            await using var process = new ChildProcess(start, readsErrors: false);
            return await new ScriptOutput(context, script[0]).ReadAsync(
                process,
                scripts.Limit,
                isBefore: eventName == "BEFORE"
            );
        }
        catch (Exception failure) when (failure is RestoreException or IOException)
        {
            context.Messages.WriteLine(
                $"Warning: {script[0]} cannot be started ({(failure.InnerException ?? failure).Message})"
            );
            return null;
        }
    }

    private static string Ending(int? code) =>
        code is { } number ? $"ended with exit code {number}" : "did not end in time, or could not be started";

    private static string VariableOf(string option) => "DUPLICATI__" + option.TrimStart('-').Replace('-', '_');
}
