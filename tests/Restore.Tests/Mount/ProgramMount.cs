using System.Diagnostics;
using System.Text;
using Restore.Tests.Ends;
using Restore.Tests.Reported;

namespace Restore.Tests.Mount;

/// <summary>
/// The program with a mount, as a process of its own. A shell between ends it with SIGTERM when the
/// input ends, so that a killed test leaves no mount.
/// </summary>
internal sealed class ProgramMount : IDisposable
{
    private const string Script =
        "exec 3<&0; \"$@\" & program=$!; (cat; kill -TERM $program) <&3 > /dev/null 2>&1 & wait $program";

    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    private readonly TempFolder folder = new();
    private readonly StringBuilder text = new();
    private readonly Process shell;
    private Task reading = Task.CompletedTask;

    private ProgramMount(string[] arguments)
    {
        Directory.CreateDirectory(Folder);
        if (!OperatingSystem.IsWindows())
        {
            File.SetUnixFileMode(folder.Path, (UnixFileMode)0b111_101_101);
        }

        string[] command = [.. ShellRun.Program, "mount", arguments[0], Folder, .. arguments[1..]];
        shell = Process.Start(
            new ProcessStartInfo("/bin/bash", ["-c", Script, "bash", .. command])
            {
                RedirectStandardInput = true,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            }
        )!;
        _ = shell.StandardOutput.ReadToEndAsync();
    }

    public string Folder => Path.Combine(folder.Path, "mount");

    /// <summary>What the program has written to its error stream.</summary>
    public string Text
    {
        get
        {
            lock (text)
            {
                return text.ToString();
            }
        }
    }

    /// <summary>The folder of the newest version.</summary>
    public string Latest => Path.Combine(Folder, "latest");

    /// <summary>Mounts a backup; skips the test where that is not possible.</summary>
    public static async Task<ProgramMount> StartAsync(params string[] arguments)
    {
        if (!Environment.IsPrivilegedProcess || !File.Exists("/dev/fuse"))
        {
            Assert.Skip("A backup can only be mounted by the root user of a system with FUSE.");
        }

        ProgramMount mount = new(arguments);
        try
        {
            await mount.WaitAsync().WaitAsync(Limit);
            return mount;
        }
        catch (Exception failure)
        {
            mount.Dispose();
            throw new InvalidOperationException($"It is not mounted. The program says:\n{mount.Text}", failure);
        }
    }

    /// <summary>Ends the program with SIGTERM, and reads all that it says.</summary>
    /// <returns>Its exit code.</returns>
    public async Task<int> EndAsync()
    {
        shell.StandardInput.Close();
        await shell.WaitForExitAsync().WaitAsync(Limit);
        await reading.WaitAsync(Limit);
        return shell.ExitCode;
    }

    public void Dispose()
    {
        try
        {
            shell.StandardInput.Close();
            shell.WaitForExit((int)Limit.TotalMilliseconds);
        }
        finally
        {
            shell.Kill(entireProcessTree: true);
            shell.WaitForExit((int)Limit.TotalMilliseconds);
            shell.Dispose();
            _ = Native.TryUnmount(Folder);
            folder.Dispose();
        }
    }

    private async Task WaitAsync()
    {
        while (await shell.StandardError.ReadLineAsync() is string line)
        {
            Add(line);
            if (line.StartsWith("Mounted on", StringComparison.Ordinal))
            {
                reading = ReadOnAsync();
                return;
            }
        }

        throw new InvalidOperationException("It has ended");
    }

    private async Task ReadOnAsync()
    {
        while (await shell.StandardError.ReadLineAsync() is string line)
        {
            Add(line);
        }
    }

    private void Add(string line)
    {
        lock (text)
        {
            text.AppendLine(line);
        }
    }
}
