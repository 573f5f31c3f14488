namespace Restore.Ends.Linux;

internal static unsafe partial class Kernel
{
    /// <summary>How many handles the process may have open; negative if that cannot be known.</summary>
    public static int OpenFileLimit()
    {
        const int OpenFiles = 7;
        ulong* limits = stackalloc ulong[2];
        return Libc.GetRLimit(OpenFiles, limits) < 0 ? -1 : (int)Math.Min(limits[0], int.MaxValue);
    }
}
