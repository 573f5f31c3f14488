using Restore.Interop;

namespace Restore.Cli.Options;

/// <summary>
/// A command of the shell that prints the passphrase. The first line counts, because password
/// managers print their notes below it. What the command asks or complains about goes to the
/// terminal.
/// </summary>
internal static class PassphraseCommand
{
    // A person may have to find a device and type a PIN.
    private static readonly TimeSpan LineWait = TimeSpan.FromMinutes(10);

    // The command has nothing more to say that counts, but its exit code does.
    private static readonly TimeSpan EndWait = TimeSpan.FromSeconds(30);

    private static readonly TimeSpan Step = TimeSpan.FromMilliseconds(100);

    // Any other variable can be what a password manager needs.
    private static readonly string[] OwnSecrets = ["PASSPHRASE", "AUTH_PASSWORD", "SETTINGS_ENCRYPTION_KEY"];

    /// <summary>
    /// Whether a variable has a secret of this program, which another program need not see.
    /// </summary>
    public static bool IsOwnSecret(string name) => OwnSecrets.Contains(name, StringComparer.OrdinalIgnoreCase);

    /// <param name="option">The option or variable that has the command, for messages.</param>
    public static string Run(string option, string command, CliEnvironment environment)
    {
        var start = SystemPrograms.StartInfo(
            OperatingSystem.IsWindows() ? "cmd.exe" : "/bin/sh",
            OperatingSystem.IsWindows() ? [] : ["-c", command],
            alsoPassed: name => !IsOwnSecret(name)
        );
        start.RedirectStandardError = false;
        if (OperatingSystem.IsWindows())
        {
            // With /s, cmd removes the outer quotation marks only, and leaves the others as they
            // are. With /d, it runs no commands of the registry.
            start.Arguments = $"/d /s /c \"{command}\"";
        }

        using var process = new ChildProcess(start, readsErrors: false);
        using var stopping = environment.StopToken.Register(process.Kill);
        process.Input.Close();
        var output = new FirstLine(process.Output);
        int? code;
        var waited = TimeSpan.Zero;
        var isComplete = false;
        while ((code = process.ExitCode(Step)) is null)
        {
            // The wait starts again when the line is complete: from then on the shorter limit
            // counts.
            waited = isComplete == output.IsComplete ? waited + Step : TimeSpan.Zero;
            isComplete = output.IsComplete;
            var problem =
                output.IsTooLong ? $"the command printed more than {FirstLine.MostCharacters >> 20} MiB"
                : isComplete && waited > EndWait
                    ? $"the command printed its line, and did not end within {EndWait.TotalSeconds:0} s"
                : waited > LineWait ? $"the command printed no line within {LineWait.TotalMinutes:0} minutes"
                : null;
            if (problem is not null)
            {
                process.Kill();
                throw None(option, problem);
            }
        }

        environment.StopToken.ThrowIfCancellationRequested();
        PassphraseSource.RefuseOtherEncoding(option, code == 0 ? output.Take() : "");
        return code != 0 ? throw None(option, $"the command ended with exit code {code}")
            : output.Take() is { Length: > 0 } line ? line
            : throw new CommandException(ExitCodes.Failed, $"{option}: the command printed no passphrase");
    }

    private static CommandException None(string option, string problem) =>
        new(ExitCodes.Failed, $"{option}: {problem}, so there is no passphrase");
}
