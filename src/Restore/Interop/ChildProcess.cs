using System.ComponentModel;
using System.Diagnostics;
using System.Text;

#if RESTORE_CLI
namespace Restore.Cli.Interop;
#else
namespace Restore.Interop;
#endif

/// <summary>A running program, and the end of its error output. Disposing ends the program, and so does the end of this one.</summary>
internal sealed class ChildProcess : IAsyncDisposable, IDisposable
{
    /// <summary>The value of <see cref="LastError"/> for a program that wrote nothing.</summary>
    public const string NoReason = "no reason given";

    private const int MaxErrorLines = 50;
    private const int MaxErrorLineChars = 4096;

    private static readonly TimeSpan PatienceAtEnd = TimeSpan.FromSeconds(2);

    private readonly Process process;
    private readonly Func<string, string>? clean;
    private readonly Queue<string> errorLines = new();
    private readonly Task errorsRead;

    /// <summary>Starts a program.</summary>
    /// <param name="start">From <see cref="SystemPrograms"/>.</param>
    /// <param name="clean">Removes credentials from error messages.</param>
    /// <param name="readsErrors">Whether the error output is read here, for <see cref="LastError"/>; else the caller has to read it.</param>
    /// <exception cref="RestoreException">It cannot be started.</exception>
    public ChildProcess(ProcessStartInfo start, Func<string, string>? clean = null, bool readsErrors = true)
    {
        this.clean = clean;
        try
        {
            process = Process.Start(start)!;
        }
        catch (Win32Exception failure)
        {
            throw new RestoreException(
                RestoreErrorCode.ProgramUnusable, $"The program {start.FileName} cannot be started: {failure.Message}", innerException: failure);
        }

        errorsRead = readsErrors ? ReadErrorsAsync(process.StandardError) : Task.CompletedTask;
        AppDomain.CurrentDomain.ProcessExit += OnProcessExit;
    }

    public StreamWriter Input => process.StandardInput;

    public StreamReader Output => process.StandardOutput;

    public StreamReader Errors => process.StandardError;

    public bool HasExited => process.HasExited;

    /// <summary>Waits until the program has ended and its error output is read.</summary>
    public async Task<int> ExitCodeAsync(CancellationToken cancellationToken)
    {
        await process.WaitForExitAsync(cancellationToken).ConfigureAwait(false);
        await errorsRead.WaitAsync(cancellationToken).ConfigureAwait(false);
        return process.ExitCode;
    }

    /// <summary>The same, for callers that block.</summary>
    /// <returns>The exit code; null if the program still runs.</returns>
    public int? ExitCode(TimeSpan patience) =>
        process.WaitForExit(patience) && ((IAsyncResult)errorsRead).AsyncWaitHandle.WaitOne(patience) ? process.ExitCode : null;

    /// <summary>The last error message of the program, without credentials; preferably one about <paramref name="name"/>.</summary>
    public string LastError(string? name = null)
    {
        string[] lines;
        lock (errorLines)
        {
            lines = [.. errorLines];
        }

        string? line = lines.LastOrDefault(line => name is not null && line.Contains(name, StringComparison.Ordinal)) ?? lines.LastOrDefault();
        return line is null ? NoReason : clean?.Invoke(line) ?? line;
    }

    /// <summary>Ends the program and those that it started.</summary>
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

    public void Dispose()
    {
        AppDomain.CurrentDomain.ProcessExit -= OnProcessExit;
        using (process)
        {
            CloseInput();
            if (!process.WaitForExit(PatienceAtEnd))
            {
                Kill();
                process.WaitForExit();
            }
        }
    }

    private void OnProcessExit(object? sender, EventArgs arguments) => Kill();

    private void CloseInput()
    {
        try
        {
            process.StandardInput.Close();
        }
        catch (Exception failure) when (failure is IOException or ObjectDisposedException)
        {
            // Unwritten input does not matter to a child that is to end; or the caller has closed the stream below.
        }
    }

    /// <summary>Keeps the last lines, and of each no more than its start: some programs repeat what a hostile file or server sent.</summary>
    private async Task ReadErrorsAsync(StreamReader errors)
    {
        char[] part = new char[MaxErrorLineChars];
        StringBuilder line = new();
        while (await errors.ReadAsync(part).ConfigureAwait(false) is > 0 and int count)
        {
            foreach (char letter in part.AsSpan(0, count))
            {
                if (letter is '\n' or '\r')
                {
                    Keep(line);
                }
                else if (line.Length < MaxErrorLineChars)
                {
                    line.Append(letter);
                }
            }
        }

        Keep(line);
    }

    private void Keep(StringBuilder line)
    {
        if (line.Length > 0)
        {
            lock (errorLines)
            {
                errorLines.Enqueue(line.ToString());
                if (errorLines.Count > MaxErrorLines)
                {
                    errorLines.Dequeue();
                }
            }

            line.Clear();
        }
    }
}
