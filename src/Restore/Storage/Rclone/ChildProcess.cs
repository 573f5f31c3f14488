using System.ComponentModel;
using System.Diagnostics;
using System.Text.RegularExpressions;

namespace Restore.Storage.Rclone;

/// <summary>A running program, and the end of its error output. Disposing ends the program.</summary>
internal sealed partial class ChildProcess : IAsyncDisposable
{
    /// <summary>The value of <see cref="LastError"/> for a program that wrote nothing.</summary>
    public const string NoReason = "no reason given";

    private const int MaxErrorLines = 50;

    private static readonly TimeSpan PatienceAtEnd = TimeSpan.FromSeconds(2);

    private readonly Process process;
    private readonly SecretScrubber scrubber;
    private readonly Queue<string> errorLines = new();
    private readonly Task errorsRead;

    public ChildProcess(ProcessStartInfo start, SecretScrubber scrubber)
    {
        this.scrubber = scrubber;
        try
        {
            process = Process.Start(start) ?? throw new IOException($"{start.FileName} did not start");
        }
        catch (Win32Exception failure)
        {
            throw new RestoreException(
                RestoreErrorCode.ProgramUnusable, $"The program {start.FileName} cannot be started: {failure.Reason()}", innerException: failure);
        }

        errorsRead = ReadErrorsAsync(process.StandardError);
        AppDomain.CurrentDomain.ProcessExit += OnProcessExit;
    }

    public StreamWriter Input => process.StandardInput;

    public StreamReader Output => process.StandardOutput;

    public bool HasExited => process.HasExited;

    /// <summary>Waits until the program has ended and its output is read.</summary>
    public async Task<int> ExitCodeAsync(CancellationToken cancellationToken)
    {
        await process.WaitForExitAsync(cancellationToken).ConfigureAwait(false);
        await errorsRead.WaitAsync(cancellationToken).ConfigureAwait(false);
        return process.ExitCode;
    }

    /// <summary>The last error message of the program, without credentials; preferably one about <paramref name="name"/>.</summary>
    public string LastError(string? name = null)
    {
        string[] lines;
        lock (errorLines)
        {
            lines = [.. errorLines];
        }

        string? line = lines.LastOrDefault(line => name is not null && line.Contains(name, StringComparison.Ordinal)) ?? lines.LastOrDefault();
        return line is null ? NoReason : scrubber.Clean(LogPrefix().Replace(line, ""));
    }

    public async ValueTask DisposeAsync()
    {
        AppDomain.CurrentDomain.ProcessExit -= OnProcessExit;
        using (process)
        {
            // A watched child ends when its input ends; one that does not is killed.
            CloseInput();
            using var patience = new CancellationTokenSource(PatienceAtEnd);
            try
            {
                await process.WaitForExitAsync(patience.Token).ConfigureAwait(false);
            }
            catch (OperationCanceledException)
            {
                Kill();
                await process.WaitForExitAsync(CancellationToken.None).ConfigureAwait(false);
            }
        }
    }

    /// <summary>Ends the program at once.</summary>
    public void Kill()
    {
        try
        {
            process.Kill(entireProcessTree: true);
        }
        catch (Exception failure) when (failure is InvalidOperationException or Win32Exception or AggregateException)
        {
            // The program has just ended by itself.
        }
    }

    private void OnProcessExit(object? sender, EventArgs arguments) => Kill();

    private void CloseInput()
    {
        try
        {
            process.StandardInput.Close();
        }
        catch (IOException)
        {
            // Unwritten input does not matter to a child that is to end.
        }
    }

    private async Task ReadErrorsAsync(StreamReader errors)
    {
        while (await errors.ReadLineAsync().ConfigureAwait(false) is { } line)
        {
            lock (errorLines)
            {
                errorLines.Enqueue(line);
                if (errorLines.Count > MaxErrorLines)
                {
                    errorLines.Dequeue();
                }
            }
        }
    }

    [GeneratedRegex(@"^\d{4}/\d\d/\d\d \d\d:\d\d:\d\d (?:[A-Z]+ *: (?:: )?)?")]
    private static partial Regex LogPrefix();
}
