namespace Restore.Cli.Commands;

/// <summary>
/// A run that leaves files for others and starts a program that learns of its result, also when it
/// fails. Neither can be refused after the run has begun.
/// </summary>
internal static class ReportedRun
{
    /// <param name="context">The command, with the backup as the report names it.</param>
    /// <param name="run">Does the work, and passes its result on to both.</param>
    public static async Task<int> RunAsync(CommandContext context, Func<RunFiles, Notification, Task<int>> run)
    {
        var files = new RunFiles(context);
        var notification = new Notification(context);
        files.Check();
        notification.Check();
        try
        {
            return await run(files, notification);
        }
        catch (Exception exception)
        {
            files.Write(exception);
            await notification.SendAsync(Failure.Of(exception, context.Environment.IsInterrupted));
            throw;
        }
    }
}
