namespace Restore.Cli.Commands;

/// <summary>
/// A change of the backup that a scheduler starts: it leaves a report and metrics, also when it
/// fails, and starts a program that learns of the result. With <c>--quiet</c> it says nothing if
/// all went well, so that a mail of cron is a reason to look.
/// </summary>
internal static class UnattendedRun
{
    /// <param name="context">The command.</param>
    /// <param name="location">The backup.</param>
    /// <param name="operation">Does the work with the context that it gets, and writes its result
    /// through it.</param>
    public static async Task<int> RunAsync(
        CommandContext context,
        string location,
        Func<CommandContext, Task<int>> operation
    )
    {
        RunOutcome outcome = new();
        context = context with { Outcome = outcome };

        // A request to make a backup names the destination among its operands; report and
        // notification name it as the backup.
        CommandContext named = context with
        {
            Request = context.Request with { Storage = location },
        };
        RunFiles files = new(named);
        Notification notification = new(named);
        files.Check();
        files.RefusePage();
        notification.Check();
        int code;
        try
        {
            code = await operation(context);
        }
        catch (Exception exception)
        {
            if (context.Request.Json)
            {
                outcome.WriteJson(context.Output);
            }

            files.Write(exception);
            await notification.SendAsync(Failure.Of(exception, context.Environment.IsInterrupted));
            throw;
        }

        code = files.Write(outcome, code);
        if (context.Request.Json)
        {
            outcome.WriteJson(context.Output, code);
        }
        else if (context.Request is { Quiet: true, DryRun: false } && code != ExitCodes.Complete)
        {
            context.Output.Write(outcome.Text);
        }

        await notification.SendAsync(code, outcome);
        return code;
    }
}
