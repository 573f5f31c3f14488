using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using Restore.Storage;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Storage.Servers;

/// <summary>
/// A real server on the loopback, started for a class of tests, with a folder of its own.
/// <see cref="NeedsProgramsAttribute"/> says which programs it takes.
/// </summary>
public abstract class StoreServer : IAsyncLifetime
{
    private readonly List<Process> processes = [];
    private readonly List<string> output = [];
    private readonly TempFolder root = new();

    /// <summary>The folder that the server gives out, or keeps its data in.</summary>
    public string Root => root.Path;

    /// <summary>Where the server listens.</summary>
    public int Port { get; } = FreePort();

    /// <summary>Credentials and other options that the server requires.</summary>
    public virtual IReadOnlyDictionary<string, string> Options { get; } = new Dictionary<string, string>();

    /// <summary>
    /// A secret among the options that no text may show; null when there is none.
    /// </summary>
    public virtual string? Secret => null;

    /// <summary>An option that makes the server refuse.</summary>
    public virtual (string Name, string Value) WrongCredential => ("auth-password", "quite-wrong");

    /// <summary>
    /// Whether a folder that was never made is an empty one, as in object stores.
    /// </summary>
    public virtual bool AbsentFolderIsEmpty => false;

    /// <summary>Whether the server's answer to a read of an empty file is broken off.</summary>
    public virtual bool BreaksEmptyFiles => false;

    /// <summary>The URL of a folder, on the server itself or on a proxy before it.</summary>
    public abstract string UrlOf(string folder, int port);

    /// <summary>Makes a folder.</summary>
    public virtual Task MakeFolderAsync(string folder)
    {
        Directory.CreateDirectory(Path.Combine(Root, folder));
        return Task.CompletedTask;
    }

    /// <summary>Makes a folder into which every server may write, whatever its user is.</summary>
    public virtual async Task MakeWritableFolderAsync(string folder)
    {
        await MakeFolderAsync(folder);
        if (!OperatingSystem.IsWindows())
        {
            const UnixFileMode All = (UnixFileMode)0x1FF;
            File.SetUnixFileMode(Path.Combine(Root, folder), All);
        }
    }

    /// <summary>Puts a file into a folder, as another program would.</summary>
    public virtual Task PutAsync(string folder, string name, byte[] content) =>
        File.WriteAllBytesAsync(Path.Combine(Root, folder, name), content);

    /// <summary>Opens a store on a folder; tests wait for little, and so do the stores.</summary>
    internal IVolumeStore Open(string folder, int? port = null, params (string Name, string Value)[] options) =>
        Open(folder, out _, port, options);

    internal IVolumeStore Open(
        string folder,
        out MeteredStore meter,
        int? port = null,
        params (string Name, string Value)[] options
    ) => meter = TestStores.Open(UrlOf(folder, port ?? Port), With(options));

    /// <summary>Opens a folder for writing, with retries.</summary>
    internal RetryingSink OpenSink(string folder, int? port = null, params (string Name, string Value)[] options) =>
        StoreFactory.OpenSink(
            UrlOf(folder, port ?? Port),
            TestStores.Registry,
            With(options),
            TimeProvider.System,
            Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance
        );

    /// <summary>Opens a folder for writing, without retries.</summary>
    internal IVolumeSink OpenPlainSink(string folder, int? port = null, params (string Name, string Value)[] options)
    {
        StoreContext context = TestStores.Context(UrlOf(folder, port ?? Port), With(options));
        return TestStores.Registry.FindProvider(context.Url.Scheme)!.OpenSink(context);
    }

    private Dictionary<string, string> With(IEnumerable<(string Name, string Value)> options)
    {
        var all = new Dictionary<string, string>(Options) { ["number-of-retries"] = "2", ["retry-delay"] = "20ms" };
        foreach ((string name, string value) in options)
        {
            all[name] = value;
        }

        return all;
    }

    public async ValueTask InitializeAsync()
    {
        if (!OperatingSystem.IsWindows())
        {
            // Servers that start as root continue as another user, who needs access.
            const UnixFileMode MayRead =
                UnixFileMode.GroupRead | UnixFileMode.GroupExecute | UnixFileMode.OtherRead | UnixFileMode.OtherExecute;
            File.SetUnixFileMode(Root, File.GetUnixFileMode(Root) | MayRead);
        }

        await StartAsync();
    }

    public virtual async ValueTask DisposeAsync()
    {
        foreach (Process process in processes)
        {
            using (process)
            {
                if (!process.HasExited)
                {
                    process.Kill(entireProcessTree: true);
                    await process.WaitForExitAsync();
                }
            }
        }

        root.Dispose();
        GC.SuppressFinalize(this);
    }

    public static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    protected abstract Task StartAsync();

    /// <summary>Starts a server and waits until it listens.</summary>
    protected async Task RunAsync(
        string program,
        IEnumerable<string> arguments,
        params (string Name, string Value)[] environment
    )
    {
        Process process = Start(program, arguments, environment);
        processes.Add(process);
        long start = TimeProvider.System.GetTimestamp();
        while (!await ListensAsync(Port))
        {
            if (process.HasExited || TimeProvider.System.GetElapsedTime(start) > TimeSpan.FromSeconds(30))
            {
                throw new InvalidOperationException(
                    $"{program} does not listen on {Port}: {string.Join('\n', output)}"
                );
            }

            await Task.Delay(30);
        }
    }

    /// <summary>Runs a tool to its end.</summary>
    protected async Task ToolAsync(string program, params string[] arguments)
    {
        using Process process = Start(program, arguments, []);
        await process.WaitForExitAsync();
        Assert.True(process.ExitCode == 0, $"{program} failed: {string.Join('\n', output)}");
    }

    private Process Start(
        string program,
        IEnumerable<string> arguments,
        IEnumerable<(string Name, string Value)> environment
    )
    {
        var start = new ProcessStartInfo(NeedsProgramsAttribute.Find(program) ?? program, arguments)
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            RedirectStandardInput = true,
        };
        foreach ((string name, string value) in environment)
        {
            start.Environment[name] = value;
        }

        Process process = Process.Start(start)!;
        process.OutputDataReceived += (_, line) => Keep(line.Data);
        process.ErrorDataReceived += (_, line) => Keep(line.Data);
        process.BeginOutputReadLine();
        process.BeginErrorReadLine();
        return process;
    }

    private void Keep(string? line)
    {
        lock (output)
        {
            if (line is not null && output.Count < 100)
            {
                output.Add(line);
            }
        }
    }

    private static async Task<bool> ListensAsync(int port)
    {
        using var client = new TcpClient();
        try
        {
            await client.ConnectAsync(IPAddress.Loopback, port);
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }
}
