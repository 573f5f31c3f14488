using System.Diagnostics;
using System.Text;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Support;

/// <summary>A program on a terminal of this system, which the program "script" makes.</summary>
internal sealed class RealTerminal : IDisposable
{
    private readonly CancellationTokenSource limit = CancellationTokenSource.CreateLinkedTokenSource(
        TestContext.Current.CancellationToken
    );
    private readonly StringBuilder screen = new();
    private readonly char[] buffer = new char[1024];
    private readonly Process process;

    public RealTerminal(string command)
    {
        limit.CancelAfter(TimeSpan.FromMinutes(2));
        ProcessStartInfo start = new(NeedsProgramsAttribute.Find("script")!, ["-qec", command, "/dev/null"])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
        };
        start.Environment["TERM"] = "xterm";
        process = Process.Start(start)!;
    }

    /// <summary>All that it has shown.</summary>
    public string Screen => screen.ToString();

    /// <summary>Reads what it shows from now on until a text comes.</summary>
    public async Task WaitForAsync(string text)
    {
        int from = screen.Length;
        while (!screen.ToString(from, screen.Length - from).Contains(text, StringComparison.Ordinal))
        {
            int read = await process.StandardOutput.ReadAsync(buffer, limit.Token);
            Assert.True(read > 0, $"'{text}' did not come; the terminal shows: {screen}");
            screen.Append(buffer, 0, read);
        }
    }

    public async Task TypeAsync(string keys)
    {
        await process.StandardInput.WriteAsync(keys);
        await process.StandardInput.FlushAsync(limit.Token);
    }

    public async Task<int> ExitCodeAsync()
    {
        await process.WaitForExitAsync(limit.Token);
        return process.ExitCode;
    }

    public void Dispose()
    {
        if (!process.HasExited)
        {
            process.Kill(entireProcessTree: true);
        }

        process.Dispose();
        limit.Dispose();
    }
}
