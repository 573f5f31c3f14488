using System.ComponentModel;
using System.Diagnostics;

namespace Restore.Interop;

/// <summary>
/// A running program, and the last lines of its error output. The program ends when this object is
/// disposed, or when this process ends.
/// </summary>
internal sealed partial class ChildProcess : IAsyncDisposable, IDisposable
{
    /// <summary>The value of <see cref="LastError"/> for a program that wrote nothing.</summary>
    public const string NoReason = "no reason given";

    private const int MaxErrorLines = 50;
    private const int MaxErrorLineChars = 4096;

    private const int KillSignal = 9;

    private static readonly TimeSpan PatienceAtEnd = TimeSpan.FromSeconds(2);

    private readonly Process process;
    private readonly Func<string, string>? clean;
    private readonly Queue<string> errorLines = new();
    private readonly Task errorsRead;
    private readonly bool leadsGroup;
    private readonly ProgressLimit? limit;
    private volatile bool isPaused;

    /// <summary>Starts a program.</summary>
    /// <param name="start">The program.</param>
    /// <param name="clean">Removes credentials from error messages.</param>
    /// <param name="readsErrors">Whether the errors are read here, for <see cref="LastError"/>;
    /// otherwise the caller has to read them.</param>
    /// <param name="ownGroup">Whether what the program has started ends with it. Not for programs
    /// that use the terminal.</param>
    /// <param name="patience">How long it may make no <see cref="Progress"/>; null or infinite for
    /// no limit.</param>
    public ChildProcess(
        ProcessStartInfo start,
        Func<string, string>? clean = null,
        bool readsErrors = true,
        bool ownGroup = false,
        TimeSpan? patience = null
    )
    {
        this.clean = clean;
        string program = start.FileName;
        try
        {
            process = Process.Start(ownGroup ? SystemPrograms.InOwnGroup(start, out leadsGroup) : start)!;
        }
        catch (Win32Exception failure)
        {
            throw new RestoreException(
                RestoreErrorCode.ProgramUnusable,
                $"The program {program} cannot be started: {failure.Message}",
                innerException: failure
            );
        }

        errorsRead = readsErrors ? ReadErrorsAsync(process.StandardError) : Task.CompletedTask;

        // This object may never be disposed if the process exits early, and the program must not
        // outlive it.
        AppDomain.CurrentDomain.ProcessExit += OnProcessExit;
        limit = patience > TimeSpan.Zero ? new ProgressLimit(patience.Value, Kill) : null;
    }

    /// <summary>Whether the program was ended because it made no progress.</summary>
    public bool HasStalled => limit is { IsExceeded: true };

    public StreamWriter Input => process.StandardInput;

    public StreamReader Output => process.StandardOutput;

    public StreamReader Errors => process.StandardError;

    public bool HasExited => process.HasExited;

    /// <summary>The program has taken or sent something: its limit begins again.</summary>
    public void Progress()
    {
        isPaused = false;
        limit?.Restart();
    }

    /// <summary>The program waits for this one, until its next <see cref="Progress"/>.</summary>
    public void Pause()
    {
        isPaused = true;
        limit?.Pause();
    }

    public async Task<int> ExitCodeAsync(CancellationToken cancellationToken)
    {
        await process.WaitForExitAsync(cancellationToken).ConfigureAwait(false);
        await IsDrainedAsync(errorsRead).WaitAsync(cancellationToken).ConfigureAwait(false);
        return process.ExitCode;
    }

    /// <summary>Null if the program still runs.</summary>
    public int? ExitCode(TimeSpan patience)
    {
        if (!process.WaitForExit(patience))
        {
            return null;
        }

        ((IAsyncResult)errorsRead).AsyncWaitHandle.WaitOne(PatienceAtEnd);
        return process.ExitCode;
    }

    /// <summary>
    /// Waits for the reader of the program's output. A program that it started can hold the output
    /// open after its end; then this waits for a moment only.
    /// </summary>
    /// <returns>False if the output did not end: it is no longer read, but the memory that it was
    /// to fill may still be written.</returns>
    public async Task<bool> IsDrainedAsync(Task reading)
    {
        await Task.WhenAny(reading, process.WaitForExitAsync(CancellationToken.None)).ConfigureAwait(false);
        if (!await EndsSoonAsync(reading).ConfigureAwait(false))
        {
            KillGroup();
            if (!await EndsSoonAsync(reading).ConfigureAwait(false))
            {
                return false;
            }
        }

        await reading.ConfigureAwait(false);
        return true;
    }

    /// <summary>
    /// Reads the short text of a program that takes no input, or no further input, and waits for
    /// its end.
    /// </summary>
    /// <returns>The text; null if it is longer or not there in time, and the program is
    /// ended.</returns>
    public async Task<string?> ShortOutputAsync(int maxChars, TimeSpan patience, CancellationToken cancellationToken)
    {
        using var limited = CancellationTokenSource.CreateLinkedTokenSource(cancellationToken);
        limited.CancelAfter(patience > TimeSpan.Zero ? patience : Timeout.InfiniteTimeSpan);
        using CancellationTokenRegistration ending = limited.Token.Register(Kill);
        char[] text = new char[maxChars + 1];
        Task<int> reading = process.StandardOutput.ReadBlockAsync(text, 0, text.Length);
        bool isRead = await IsDrainedAsync(reading).ConfigureAwait(false);
        int length = isRead ? await reading.ConfigureAwait(false) : 0;
        cancellationToken.ThrowIfCancellationRequested();
        if (isRead && length <= maxChars && !limited.IsCancellationRequested)
        {
            return new string(text, 0, length);
        }

        Kill();
        return null;
    }

    /// <summary>
    /// The last error message of the program, without credentials; preferably one about
    /// <paramref name="name"/>.
    /// </summary>
    public string LastError(string? name = null)
    {
        string[] lines;
        lock (errorLines)
        {
            lines = [.. errorLines];
        }

        string? line =
            lines.LastOrDefault(line => name is not null && line.Contains(name, StringComparison.Ordinal))
            ?? lines.LastOrDefault();
        return line is null ? NoReason : clean?.Invoke(line) ?? line;
    }

    /// <summary>Ends the program, and what it has started.</summary>
    public void Kill()
    {
        KillGroup();
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
        limit?.Dispose();
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

            KillGroup();
        }
    }

    public void Dispose()
    {
        AppDomain.CurrentDomain.ProcessExit -= OnProcessExit;
        limit?.Dispose();
        using (process)
        {
            CloseInput();
            if (!process.WaitForExit(PatienceAtEnd))
            {
                Kill();
                process.WaitForExit();
            }

            KillGroup();
        }
    }

    /// <summary>
    /// Ends what a program has left behind, where it leads a group. The number of a group is not
    /// used again while the group has a process.
    /// </summary>
    private void KillGroup()
    {
        if (leadsGroup)
        {
            _ = Signal(-process.Id, KillSignal);
        }
    }

    private async Task<bool> EndsSoonAsync(Task reading)
    {
        bool hasEnded;
        do
        {
            hasEnded = await Task.WhenAny(reading, Task.Delay(PatienceAtEnd)).ConfigureAwait(false) == reading;
        } while (!hasEnded && isPaused);
        return hasEnded;
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
            // Unwritten input does not matter to a child that is to end; or the caller has closed
            // the stream below.
        }
    }

    /// <summary>
    /// Keeps the last lines, and of each no more than its start: some programs repeat what a
    /// hostile file or server sent.
    /// </summary>
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

    [LibraryImport("libc", EntryPoint = "kill")]
    private static partial int Signal(int process, int signal);

    /// <summary>Ends a program that stands still.</summary>
    private sealed class ProgressLimit : IDisposable
    {
        private readonly TimeSpan patience;
        private readonly CancellationTokenSource source = new();
        private readonly CancellationTokenRegistration ending;

        public ProgressLimit(TimeSpan patience, Action end)
        {
            this.patience = patience;
            ending = source.Token.Register(end);
            Restart();
        }

        public bool IsExceeded => source.IsCancellationRequested;

        public void Restart() => source.CancelAfter(patience);

        public void Pause() => source.CancelAfter(Timeout.InfiniteTimeSpan);

        public void Dispose()
        {
            ending.Dispose();
            source.Dispose();
        }
    }
}
