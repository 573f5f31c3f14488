using Restore.Cli.Interop;

namespace Restore.Cli.Commands;

/// <summary>
/// A mount in the background: this program starts itself again, waits until that one has mounted,
/// and ends. The process in the background has a session of its own, so no terminal ends it.
/// </summary>
internal static class MountDaemon
{
    // Set by the process that waits.
    private const string Variable = "RESTORE_MOUNT_DAEMON";
    private const string Ready = "Mounted on ";

    public static bool IsThis(CliEnvironment environment) => environment.Variable(Variable) is { Length: > 0 };

    /// <summary>
    /// Starts the process, and repeats that with each passphrase that is asked for.
    /// </summary>
    public static Task<int> StartAsync(CommandContext context) =>
        PassphrasePrompt.RunAsync(
            context.Request.Backup.Passphrase,
            context.Environment.AskSecret,
            context.Messages,
            passphrase => StartAsync(context, passphrase)
        );

    /// <summary>
    /// Leaves the terminal that the process was started from, so that signals for the programs of
    /// the terminal do not reach this one.
    /// </summary>
    public static void LeaveTerminal() => _ = HostLibc.SetSid();

    /// <summary>
    /// Notifies the waiting process, which ends then. Output to its pipes is discarded after that.
    /// </summary>
    public static void TellReady(CommandContext context, string folder) =>
        context.Messages.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{Ready}{folder} by process {Environment.ProcessId}; 'umount {folder}' or a SIGTERM unmounts"
            )
        );

    private static async Task<int> StartAsync(CommandContext context, string? passphrase)
    {
        context.Secrets.Add(passphrase);
        var start = OwnProgram.StartInfo([], passphrase);
        start.Environment[Variable] = "1";
        using var process = System.Diagnostics.Process.Start(start)!;
        process.StandardInput.Close();
        await using var stopping = context.Environment.StopToken.Register(process.Kill);
        List<string> lines = [];

        // An interruption kills the process, which ends its output, so the reads need no token.
        while (await process.StandardError.ReadLineAsync(CancellationToken.None) is { } line)
        {
            lines.Add(line);
            if (line.StartsWith(Ready, StringComparison.Ordinal))
            {
                Write(context, context.Request.Quiet ? lines[..^1] : lines);
                return ExitCodes.Complete;
            }
        }

        await process.WaitForExitAsync(CancellationToken.None);
        context.Environment.StopToken.ThrowIfCancellationRequested();
        if (process.ExitCode == ExitCodes.WrongPassphrase)
        {
            throw new RestoreException(
                RestoreErrorCode.WrongPassphrase,
                lines.Count > 0 ? lines[0] : "The passphrase does not open the backup"
            );
        }

        Write(context, lines);
        return process.ExitCode;
    }

    private static void Write(CommandContext context, List<string> lines) => lines.ForEach(context.Messages.WriteLine);
}
