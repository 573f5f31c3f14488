using System.Collections.Frozen;
using System.ComponentModel;
using System.Diagnostics;
using System.Text;

namespace Restore.Interop;

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

    /// <summary>Clean removes credentials from error messages. If the errors are not read here, for <see cref="LastError"/>, the caller has to read
    /// them.</summary>
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

    public async Task<int> ExitCodeAsync(CancellationToken cancellationToken)
    {
        await process.WaitForExitAsync(cancellationToken).ConfigureAwait(false);
        await errorsRead.WaitAsync(cancellationToken).ConfigureAwait(false);
        return process.ExitCode;
    }

    /// <summary>Null if the program still runs.</summary>
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

/// <summary>The programs of the system that Restore uses: where they are, and what they see of the environment.</summary>
internal static class SystemPrograms
{
    // Programs need these to find their files, to write the user's language and to reach the network. Any other variable can be a secret.
    private static readonly FrozenSet<string> Passed = FrozenSet.ToFrozenSet(
        [
            "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TEMP", "TMP", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH",
            "GNUPGHOME", "SSH_AUTH_SOCK", "SSL_CERT_FILE", "SSL_CERT_DIR",
            "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY",
            "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "PROGRAMDATA", "PROGRAMFILES", "USERPROFILE", "USERNAME", "APPDATA", "LOCALAPPDATA",
            "HOMEDRIVE", "HOMEPATH",
        ],
        StringComparer.OrdinalIgnoreCase);

    private static readonly string[] PassedPrefixes = ["LC_", "XDG_"];

    /// <summary>A relative folder would depend on where Restore was started.</summary>
    public static IEnumerable<string> Folders(string? searchPath) => (searchPath ?? "").Split(Path.PathSeparator).Where(Path.IsPathFullyQualified);

    /// <summary>Null if it is not found. A name with a folder in it is not searched for.</summary>
    public static string? Find(string program, string? searchPath = null)
    {
        if (program.Contains('/') || program.Contains(Path.DirectorySeparatorChar))
        {
            return File.Exists(program) ? Path.GetFullPath(program) : null;
        }

        // The system's own search would take a program from the current folder first on Windows, and from relative folders elsewhere.
        string[] names = OperatingSystem.IsWindows() ? [program + ".exe", program] : [program];
        return Folders(searchPath ?? Environment.GetEnvironmentVariable("PATH"))
            .SelectMany(folder => names.Select(name => Path.Combine(folder, name)))
            .FirstOrDefault(File.Exists);
    }

    /// <summary>Redirects all three streams, and passes no variables that the program does not need. Every user of the machine can see the arguments, so they
    /// have no secrets.</summary>
    public static ProcessStartInfo StartInfo(string path, IEnumerable<string> arguments, Func<string, bool>? alsoPassed = null)
    {
        var start = new ProcessStartInfo(path, arguments)
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            UseShellExecute = false,
            CreateNoWindow = true,
        };
        foreach (string name in start.Environment.Keys.Where(name => !IsPassed(name) && alsoPassed?.Invoke(name) != true).ToList())
        {
            start.Environment.Remove(name);
        }

        return start;
    }

    /// <summary>The same, with exactly these variables.</summary>
    public static ProcessStartInfo StartInfo(string path, IEnumerable<string> arguments, IEnumerable<KeyValuePair<string, string>> environment)
    {
        ProcessStartInfo start = StartInfo(path, arguments);
        start.Environment.Clear();
        foreach ((string name, string value) in environment)
        {
            start.Environment[name] = value;
        }

        return start;
    }

    private static bool IsPassed(string name) =>
        Passed.Contains(name) || PassedPrefixes.Any(prefix => name.StartsWith(prefix, StringComparison.OrdinalIgnoreCase));
}
