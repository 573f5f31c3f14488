using System.Globalization;
using System.Runtime.InteropServices;

namespace Restore.Benchmarks.Measuring;

/// <summary>
/// Makes fresh memory cheap for the measured program. On a virtual machine the first touch of a
/// page that the host has not backed yet costs far more than any later one. So this program touches
/// much of the free memory first, and then returns it bit by bit as the measured program uses it
/// up.
/// </summary>
internal static partial class MemoryPrimer
{
    private const string Ready = "ready";
    private const long FirstReleaseBytes = 1536L << 20;
    private const long ReleaseBytes = 128L << 20;
    private const long SlackBytes = 32L << 20;
    private const int PageBytes = 4096;
    private const int ReadWrite = 3;
    private const int PrivateAnonymousNoReserve = 0x4022;
    private const int DontNeed = 4;
    private const int HugePages = 14;

    private static readonly TimeSpan Look = TimeSpan.FromMilliseconds(2);

    /// <summary>
    /// Touches memory and returns it as it is needed, until all is returned or the process is
    /// killed.
    /// </summary>
    public static async Task<int> RunAsync(long bytes)
    {
        nint memory = Map(0, (nuint)bytes, ReadWrite, PrivateAnonymousNoReserve, -1, 0);
        if (memory == -1)
        {
            throw new UsageException($"{bytes:N0} bytes of memory could not be had.");
        }

        _ = Advise(memory, (nuint)bytes, HugePages);
        for (long offset = 0; offset < bytes; offset += PageBytes)
        {
            Marshal.WriteByte(memory + (nint)offset, 1);
        }

        long released = Math.Min(FirstReleaseBytes, bytes);
        _ = Advise(memory, (nuint)released, DontNeed);
        long wanted = Machine.FreeBytes();
        Console.WriteLine(Ready);
        while (released < bytes)
        {
            await Task.Delay(Look);
            long free = Machine.FreeBytes();
            while (released < bytes && free + SlackBytes < wanted)
            {
                long part = Math.Min(ReleaseBytes, bytes - released);
                _ = Advise(memory + (nint)released, (nuint)part, DontNeed);
                released += part;
                free += part;
            }
        }

        return 0;
    }

    /// <summary>
    /// Starts the primer as a process and waits until the memory is touched; kill it after the
    /// measurement.
    /// </summary>
    public static async Task<ChildProcess> StartAsync(long bytes, string outputFile)
    {
        string megabytes = (bytes >> 20).ToString(CultureInfo.InvariantCulture);
        ChildProcess primer = ChildProcess.Start([.. Self.Command, "prime", megabytes], outputFile);
        while (!(await File.ReadAllTextAsync(outputFile)).StartsWith(Ready, StringComparison.Ordinal))
        {
            await Task.Delay(Look);
        }

        return primer;
    }

    [LibraryImport("libc", EntryPoint = "mmap")]
    private static partial nint Map(nint address, nuint length, int protection, int flags, int descriptor, nint offset);

    [LibraryImport("libc", EntryPoint = "madvise")]
    private static partial int Advise(nint address, nuint length, int advice);
}
