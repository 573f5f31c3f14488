using System.Diagnostics;
using System.Globalization;
using Restore.Tests.Ends;

namespace Restore.Tests.Faults;

/// <summary>
/// A file system that passes everything through to a folder and fails where a test says, served by
/// a process of its own (tests/Restore.FaultMount). Needs root and /dev/fuse.
/// </summary>
internal sealed class FaultMount : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    private readonly TempFolder folder = new();
    private readonly Process server;
    private readonly Task<string> errors;

    private FaultMount()
    {
        Directory.CreateDirectory(Backing);
        Directory.CreateDirectory(Mounted);
        string program = Path.Combine(AppContext.BaseDirectory, "Restore.FaultMount.dll");
        server = Process.Start(
            new ProcessStartInfo("dotnet", [program])
            {
                RedirectStandardInput = true,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            }
        )!;
        errors = server.StandardError.ReadToEndAsync();
    }

    /// <summary>What is really there.</summary>
    public string Backing => Path.Combine(folder.Path, "backing");

    /// <summary>The same through the file system that fails.</summary>
    public string Mounted => Path.Combine(folder.Path, "mounted");

    /// <param name="writesBack">Whether writes go into the page cache, and fail when they are
    /// written back.</param>
    /// <param name="asStreams">Whether files are read from their beginning to their end only, as some of
    /// a device or a program are.</param>
    public static async Task<FaultMount> MountAsync(bool writesBack = false, bool asStreams = false)
    {
        if (!Environment.IsPrivilegedProcess || !File.Exists("/dev/fuse"))
        {
            Assert.Skip("A file system that fails can only be mounted by the root user of a system with FUSE.");
        }

        FaultMount mount = new();
        try
        {
            Assert.Equal(
                "ok",
                await mount.AskAsync(
                    $"mount {mount.Backing} {mount.Mounted}{(writesBack ? " writeback" : asStreams ? " stream" : "")}"
                )
            );
            return mount;
        }
        catch
        {
            mount.Dispose();
            throw;
        }
    }

    public async Task FailAsync(string call, int first, int error, int times) =>
        Assert.Equal(
            "ok",
            await AskAsync(string.Create(CultureInfo.InvariantCulture, $"fail {call} {first} {error} {times}"))
        );

    /// <summary>All calls of one kind get no answer from now on.</summary>
    public Task HangAsync(string call) => FailAsync(call, first: 1, error: -1, times: int.MaxValue);

    public async Task ResetAsync() => Assert.Equal("ok", await AskAsync("reset"));

    /// <summary>
    /// The calls since the last reset by their names; "failed" are those that failed.
    /// </summary>
    public async Task<Dictionary<string, int>> CountAsync() =>
        (await AskAsync("count"))
            .Split(' ')
            .Select(count => count.Split('='))
            .ToDictionary(count => count[0], count => int.Parse(count[1], CultureInfo.InvariantCulture));

    /// <summary>
    /// Removes a folder through the mount: the server has a handle of every entry that the kernel
    /// knows, and a long run would use them up.
    /// </summary>
    public void Remove(string name) => Directory.Delete(Path.Combine(Mounted, name), recursive: true);

    public void Dispose()
    {
        try
        {
            server.StandardInput.Close();
            server.WaitForExit((int)Limit.TotalMilliseconds);
        }
        catch (IOException)
        {
            // It has ended, and the command to it said so.
        }
        finally
        {
            // Nothing may hang, whatever became of the server: without it, every call to the mount
            // fails.
            server.Kill(entireProcessTree: true);
            server.WaitForExit((int)Limit.TotalMilliseconds);
            server.Dispose();
            _ = Native.TryUnmount(Mounted);
            folder.Dispose();
        }
    }

    private async Task<string> AskAsync(string command)
    {
        try
        {
            await server.StandardInput.WriteLineAsync(command);
            await server.StandardInput.FlushAsync();
        }
        catch (IOException)
        {
            // The answer says why.
        }

        return await server.StandardOutput.ReadLineAsync().WaitAsync(Limit)
            ?? throw new InvalidOperationException(
                $"The server of the mount has ended: {await errors.WaitAsync(Limit)}"
            );
    }
}
