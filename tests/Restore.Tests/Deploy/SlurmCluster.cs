using System.ComponentModel;
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Runtime.Versioning;
using System.Security.Cryptography;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Deploy;

/// <summary>
/// A real Slurm of one machine with folders, ports and a key of its own: munged, slurmctld and
/// slurmd, without systemd, control groups and accounting.
/// </summary>
[SupportedOSPlatform("linux")]
internal sealed class SlurmCluster : IDisposable
{
    private static readonly TimeSpan Start = TimeSpan.FromSeconds(60);

    private readonly TempFolder folder = new();
    private readonly List<Process> daemons = [];

    private SlurmCluster() { }

    /// <summary>The folder that jobs are submitted in.</summary>
    public string Folder => folder.Path;

    private string ConfigurationFile => In("slurm.conf");

    public static async Task<SlurmCluster> StartAsync(CancellationToken cancellationToken)
    {
        SlurmCluster cluster = new();
        try
        {
            cluster.Configure();
            cluster.StartDaemon(
                "munged",
                $"--foreground --force --key-file={cluster.In("key")} --socket={cluster.In("socket")} "
                    + $"--pid-file={cluster.In("munge.pid")} --log-file={cluster.In("munge.log")} --seed-file={cluster.In("seed")}"
            );
            cluster.StartDaemon("slurmctld", "-D -c");
            cluster.StartDaemon("slurmd", "-D");
            await cluster.UntilAsync(
                async () => (await cluster.RunAsync("sinfo", "-h", "-o", "%T")).Output.Trim() == "idle",
                Start,
                cancellationToken
            );
            return cluster;
        }
        catch (Exception)
        {
            cluster.Dispose();
            throw;
        }
    }

    /// <summary>Runs a program that talks to the cluster.</summary>
    public Task<(int ExitCode, string Output)> RunAsync(string program, params string[] arguments) =>
        RunAsync(new Dictionary<string, string>(), program, arguments);

    /// <summary>Runs a program that talks to the cluster, with variables.</summary>
    public async Task<(int ExitCode, string Output)> RunAsync(
        IReadOnlyDictionary<string, string> variables,
        string program,
        params string[] arguments
    )
    {
        ProcessStartInfo start = new(program, arguments)
        {
            WorkingDirectory = Folder,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment["SLURM_CONF"] = ConfigurationFile;
        foreach ((string name, string value) in variables)
        {
            start.Environment[name] = value;
        }

        using Process process = Process.Start(start)!;
        try
        {
            process.StandardInput.Close();
            Task<string> error = process.StandardError.ReadToEndAsync();
            string output = await process.StandardOutput.ReadToEndAsync().WaitAsync(Start);
            await process.WaitForExitAsync().WaitAsync(Start);
            return (process.ExitCode, output + await error);
        }
        finally
        {
            process.Kill(entireProcessTree: true);
        }
    }

    /// <summary>
    /// Waits until something is so; fails with the state of the jobs, and what the daemons said.
    /// </summary>
    public async Task UntilAsync(Func<Task<bool>> isSo, TimeSpan limit, CancellationToken cancellationToken)
    {
        long start = TimeProvider.System.GetTimestamp();
        while (!await isSo())
        {
            if (TimeProvider.System.GetElapsedTime(start) > limit)
            {
                Assert.Fail(await DescribeAsync());
            }

            await Task.Delay(200, cancellationToken);
        }
    }

    public void Dispose()
    {
        daemons.Reverse();
        foreach (Process daemon in daemons)
        {
            daemon.Kill(entireProcessTree: true);
            daemon.WaitForExit(TimeSpan.FromSeconds(10));
            daemon.Dispose();
        }

        EndJobs();
        folder.Dispose();
    }

    private static int FreePort()
    {
        using TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    private string In(string name) => Path.Join(Folder, name);

    private void Configure()
    {
        // The daemon of munge insists on a key that nobody else reads, in a folder that nobody else
        // writes.
        File.WriteAllBytes(In("key"), RandomNumberGenerator.GetBytes(128));
        File.SetUnixFileMode(In("key"), UnixFileMode.UserRead | UnixFileMode.UserWrite);
        File.SetUnixFileMode(Folder, (UnixFileMode)0x1ED);
        string host = Environment.MachineName.Split('.')[0];
        File.WriteAllText(
            ConfigurationFile,
            $"""
            ClusterName=test
            SlurmctldHost={host}(127.0.0.1)
            SlurmUser=root
            SlurmdUser=root
            AuthType=auth/munge
            AuthInfo=socket={In("socket")}
            CryptoType=crypto/munge
            SlurmctldPort={FreePort()}
            SlurmdPort={FreePort()}
            StateSaveLocation={Directory.CreateDirectory(In("state")).FullName}
            SlurmdSpoolDir={Directory.CreateDirectory(In("spool")).FullName}
            SlurmctldPidFile={In("slurmctld.pid")}
            SlurmdPidFile={In("slurmd.pid")}
            SlurmdParameters=config_overrides
            ProctrackType=proctrack/linuxproc
            TaskPlugin=task/none
            SwitchType=switch/none
            MpiDefault=none
            ReturnToService=2
            SelectType=select/cons_tres
            SelectTypeParameters=CR_CPU
            KillWait=1
            SchedulerParameters=sched_interval=1,bf_interval=1,batch_sched_delay=0
            NodeName={host} NodeAddr=127.0.0.1 CPUs=8 RealMemory=100 State=UNKNOWN
            PartitionName=main Nodes={host} Default=YES MaxTime=INFINITE State=UP

            """
        );
    }

    private void StartDaemon(string program, string arguments)
    {
        string path = NeedsProgramsAttribute.Find(program)!;
        ProcessStartInfo start = new(
            "/bin/sh",
            ["-c", $"exec {path} {arguments} </dev/null >{In(program + ".out")} 2>&1"]
        );
        start.Environment["SLURM_CONF"] = ConfigurationFile;
        daemons.Add(Process.Start(start)!);
    }

    private async Task<string> DescribeAsync()
    {
        string said = string.Concat(
            Directory.GetFiles(Folder, "*.out").Select(file => $"{Path.GetFileName(file)}:\n{File.ReadAllText(file)}\n")
        );
        try
        {
            string jobs = (await RunAsync("squeue", "-t", "all", "-o", "%i %T %r")).Output;
            return $"{said}{jobs}{(await RunAsync("sinfo", "-o", "%T %E")).Output}";
        }
        catch (TimeoutException silence)
        {
            return said + silence.Message;
        }
    }

    /// <summary>
    /// A job's processes are no children of the daemons, but they all know where the configuration
    /// is.
    /// </summary>
    private void EndJobs()
    {
        foreach (
            string process in Directory
                .EnumerateDirectories("/proc")
                .Where(name => int.TryParse(Path.GetFileName(name), out _))
        )
        {
            try
            {
                if (
                    File.ReadAllText(Path.Join(process, "environ"))
                        .Contains($"SLURM_CONF={ConfigurationFile}\0", StringComparison.Ordinal)
                )
                {
                    using Process job = Process.GetProcessById(
                        int.Parse(Path.GetFileName(process), System.Globalization.CultureInfo.InvariantCulture)
                    );
                    job.Kill();
                    job.WaitForExit(TimeSpan.FromSeconds(10));
                }
            }
            catch (Exception gone)
                when (gone
                        is IOException
                            or UnauthorizedAccessException
                            or ArgumentException
                            or InvalidOperationException
                            or Win32Exception
                )
            {
                // It has ended.
            }
        }
    }
}
