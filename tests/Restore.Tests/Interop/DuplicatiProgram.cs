using System.Diagnostics;
using System.Text;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Interop;

/// <summary>
/// Needs the command line of Duplicati itself, which the variable DUPLICATI_CLI names: a program,
/// or a .dll that dotnet runs.
/// </summary>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Method)]
public sealed class NeedsDuplicatiAttribute : NeedsAttribute
{
    public override string Need => DuplicatiProgram.Variable;

    public override string? Missing =>
        File.Exists(DuplicatiProgram.Path)
            ? null
            : $"{DuplicatiProgram.Variable} names no program: set it to the command line of Duplicati";
}

/// <summary>What a command of Duplicati said.</summary>
internal sealed record DuplicatiRun(int ExitCode, string Output)
{
    public override string ToString() => $"exit code {ExitCode}\n{Output}";
}

/// <summary>
/// The command line of Duplicati, with settings and databases in a folder of its own.
/// </summary>
internal sealed class DuplicatiProgram : IDisposable
{
    public const string Variable = "DUPLICATI_CLI";

    // A command takes a second or two, most of it the start.
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(5);

    private readonly TempFolder home = new();

    public static string? Path => Environment.GetEnvironmentVariable(Variable);

    public async Task<DuplicatiRun> RunAsync(params string[] arguments)
    {
        bool isLibrary = Path!.EndsWith(".dll", StringComparison.Ordinal);
        ProcessStartInfo start = new(isLibrary ? "dotnet" : Path, isLibrary ? [Path, .. arguments] : arguments)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true,
        };
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(home.Path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
        }

        start.Environment["DUPLICATI_HOME"] = home.Path;
        start.Environment["USAGEREPORTER_Duplicati_LEVEL"] = "none";
        start.Environment["AUTOUPDATER_Duplicati_SKIP_UPDATE"] = "1";
        using Process process = Process.Start(start)!;
        process.StandardInput.Close();
        StringBuilder output = new();
        Task[] reading = [CopyAsync(process.StandardOutput), CopyAsync(process.StandardError)];
        using CancellationTokenSource limit = new(Patience);
        try
        {
            await process.WaitForExitAsync(limit.Token);
            await Task.WhenAll(reading);
        }
        finally
        {
            if (!process.HasExited)
            {
                process.Kill(entireProcessTree: true);
            }
        }

        return new DuplicatiRun(process.ExitCode, output.ToString());

        async Task CopyAsync(StreamReader from)
        {
            while (await from.ReadLineAsync() is { } line)
            {
                lock (output)
                {
                    output.AppendLine(line);
                }
            }
        }
    }

    public void Dispose() => home.Dispose();
}
