using System.Globalization;

namespace Restore.Tests.FixtureTests;

/// <summary>
/// The most memory that this process had since a moment, as the kernel counts it. Meaningful only
/// when nothing else runs beside.
/// </summary>
internal sealed class PeakMemory
{
    private readonly long startBytes;

    public PeakMemory()
    {
        // Only the young: hundreds of tests begin here, and a full collection takes 0.4 seconds
        // with what the tests before left.
        GC.Collect(1);

        // 5 sets the peak back to what is in use now.
        File.WriteAllText("/proc/self/clear_refs", "5");
        startBytes = Read("VmRSS:");
    }

    public long GrowthBytes => Read("VmHWM:") - startBytes;

    private static long Read(string name)
    {
        string line = File.ReadLines("/proc/self/status")
            .Single(line => line.StartsWith(name, StringComparison.Ordinal));
        string kibibytes = line.Split(' ', StringSplitOptions.RemoveEmptyEntries)[^2].Trim();
        return long.Parse(kibibytes, CultureInfo.InvariantCulture) * 1024;
    }
}
