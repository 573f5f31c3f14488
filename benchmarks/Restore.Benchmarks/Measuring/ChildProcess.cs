using System.Collections;
using System.Globalization;
using System.Runtime.InteropServices;

namespace Restore.Benchmarks.Measuring;

/// <summary>
/// A child process with the kernel's accounting: wall time, processor time, peak memory
/// (<c>wait4</c>), bytes read and written (<c>/proc</c>, before the child is reaped). Includes the
/// children that the child waited for. Linux only; .NET's own Process class reaps children itself,
/// so their figures are lost.
/// </summary>
internal sealed unsafe partial class ChildProcess
{
    private const int ById = 1;
    private const int Exited = 4;
    private const int LeaveIt = 0x0100_0000;
    private const int KillSignal = 9;
    private const int WriteCreateTruncate = 0x241;
    private const int StandardInput = 0;
    private const int StandardOutput = 1;
    private const int StandardError = 2;
    private const int MicrosecondsPerSecond = 1_000_000;

    private readonly int id;
    private readonly long started;

    private ChildProcess(int id, long started)
    {
        this.id = id;
        this.started = started;
    }

    /// <summary>Starts a program; its output goes to a file.</summary>
    /// <param name="command">Program and arguments; the program is searched in PATH.</param>
    /// <param name="outputFile">The file for standard output and error.</param>
    /// <param name="environment">Additional variables.</param>
    public static ChildProcess Start(
        IReadOnlyList<string> command,
        string outputFile,
        IReadOnlyDictionary<string, string>? environment = null
    )
    {
        if (!OperatingSystem.IsLinux())
        {
            throw new UsageException("Whole restores are measured on Linux only: the figures come from its kernel.");
        }

        using NativeStrings arguments = new(command);
        using NativeStrings variables = new(Environment(environment));

        // Room for the posix_spawn_file_actions_t of every C library.
        byte* actions = stackalloc byte[512];
        Check(ActionsInit(actions), "posix_spawn_file_actions_init");
        try
        {
            Check(ActionsOpen(actions, StandardInput, "/dev/null", 0, 0), "posix_spawn_file_actions_addopen");
            Check(
                ActionsOpen(actions, StandardOutput, outputFile, WriteCreateTruncate, 0x1A4),
                "posix_spawn_file_actions_addopen"
            );
            Check(ActionsDuplicate(actions, StandardOutput, StandardError), "posix_spawn_file_actions_adddup2");
            ForgetOwnPeak();
            long started = TimeProvider.System.GetTimestamp();
            int id;
            int error = Spawn(&id, command[0], actions, null, arguments.Pointers, variables.Pointers);
            return error == 0
                ? new ChildProcess(id, started)
                : throw new UsageException(
                    $"{command[0]} could not be started: {Marshal.GetPInvokeErrorMessage(error)}."
                );
        }
        finally
        {
            _ = ActionsDestroy(actions);
        }
    }

    /// <summary>Runs a program to its end.</summary>
    public static Usage Run(
        IReadOnlyList<string> command,
        string outputFile,
        IReadOnlyDictionary<string, string>? environment = null
    ) => Start(command, outputFile, environment).Wait();

    /// <summary>
    /// Waits for the end. Blocks its thread: nothing else may happen during a measurement.
    /// </summary>
    public Usage Wait()
    {
        byte* info = stackalloc byte[128];
        int result;
        do
        {
            result = WaitId(ById, id, info, Exited | LeaveIt);
        } while (result < 0 && Marshal.GetLastPInvokeError() == 4);
        TimeSpan wall = TimeProvider.System.GetElapsedTime(started);
        (long read, long written) = ReadIo();

        long* usage = stackalloc long[32];
        int status;
        if (Wait4(id, &status, 0, usage) < 0)
        {
            throw new InvalidOperationException(
                $"The child {id} was lost: {Marshal.GetPInvokeErrorMessage(Marshal.GetLastPInvokeError())}."
            );
        }

        int exitCode = (status & 0x7F) == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F);
        return new Usage(
            exitCode,
            wall,
            Seconds(usage[0], usage[1]),
            Seconds(usage[2], usage[3]),
            usage[4] * 1024,
            read,
            written
        )
        {
            PageFaults = usage[8],
            Waits = usage[16],
            Interruptions = usage[17],
        };
    }

    public void Signal(int signal) => _ = SendSignal(id, signal);

    /// <summary>Kills and reaps the child.</summary>
    public void Kill()
    {
        _ = SendSignal(id, KillSignal);
        Wait();
    }

    private static TimeSpan Seconds(long seconds, long microseconds) =>
        TimeSpan.FromTicks(
            (seconds * TimeSpan.TicksPerSecond) + (microseconds * (TimeSpan.TicksPerSecond / MicrosecondsPerSecond))
        );

    /// <summary>
    /// Linux counts the most memory that this process ever had into the peak of a child; after this
    /// it is what it has now.
    /// </summary>
    private static void ForgetOwnPeak()
    {
        GC.Collect();
        File.WriteAllText("/proc/self/clear_refs", "5");
    }

    private static IEnumerable<string> Environment(IReadOnlyDictionary<string, string>? added)
    {
        Dictionary<string, string> all = [];
        foreach (DictionaryEntry variable in System.Environment.GetEnvironmentVariables())
        {
            all[(string)variable.Key] = (string?)variable.Value ?? "";
        }

        foreach ((string name, string value) in added ?? new Dictionary<string, string>())
        {
            all[name] = value;
        }

        return all.Select(variable => $"{variable.Key}={variable.Value}");
    }

    private static void Check(int error, string call)
    {
        if (error != 0)
        {
            throw new InvalidOperationException($"{call}: {Marshal.GetPInvokeErrorMessage(error)}.");
        }
    }

    /// <summary>
    /// Bytes of read and write calls, including those from the page cache; -1 if the kernel does
    /// not report them.
    /// </summary>
    private (long Read, long Written) ReadIo()
    {
        try
        {
            Dictionary<string, long> counters = File.ReadLines($"/proc/{id}/io")
                .Select(line => line.Split(": "))
                .ToDictionary(parts => parts[0], parts => long.Parse(parts[1], CultureInfo.InvariantCulture));
            return (counters["rchar"], counters["wchar"]);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            return (-1, -1);
        }
    }

    [LibraryImport("libc", EntryPoint = "posix_spawnp", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int Spawn(
        int* id,
        string file,
        byte* actions,
        byte* attributes,
        byte** arguments,
        byte** environment
    );

    [LibraryImport("libc", EntryPoint = "posix_spawn_file_actions_init")]
    private static partial int ActionsInit(byte* actions);

    [LibraryImport("libc", EntryPoint = "posix_spawn_file_actions_destroy")]
    private static partial int ActionsDestroy(byte* actions);

    [LibraryImport("libc", EntryPoint = "posix_spawn_file_actions_addopen", StringMarshalling = StringMarshalling.Utf8)]
    private static partial int ActionsOpen(byte* actions, int descriptor, string path, int flags, uint mode);

    [LibraryImport("libc", EntryPoint = "posix_spawn_file_actions_adddup2")]
    private static partial int ActionsDuplicate(byte* actions, int from, int to);

    [LibraryImport("libc", EntryPoint = "waitid", SetLastError = true)]
    private static partial int WaitId(int kind, int id, byte* info, int options);

    [LibraryImport("libc", EntryPoint = "wait4", SetLastError = true)]
    private static partial int Wait4(int id, int* status, int options, long* usage);

    [LibraryImport("libc", EntryPoint = "kill", SetLastError = true)]
    private static partial int SendSignal(int id, int signal);
}
