using Microsoft.Win32.SafeHandles;

namespace Restore.Interop;

/// <summary>Files with ranges that take no room.</summary>
internal static unsafe partial class Windows
{
    private const uint SetSparse = 0x900C4;
    private const uint SetZeroData = 0x980C8;

    /// <summary>
    /// Lets a file be sparse, and frees the room of ranges that are zero. What is read from it stays
    /// the same; its last-modified time changes.
    /// </summary>
    /// <param name="handle">The open file; null to open the path.</param>
    /// <param name="rangesOf">Finds the ranges.</param>
    public static void MakeSparse(
        SafeFileHandle? handle,
        string path,
        Func<SafeFileHandle, IEnumerable<(long From, long To)>> rangesOf
    )
    {
        using SafeFileHandle? own = handle is null ? Open(path, ReadAccess | WriteAccess) : null;
        SafeFileHandle file = handle ?? own!;
        Control(file, SetSparse, null, 0);
        long* range = stackalloc long[2];
        foreach ((long from, long to) in rangesOf(file))
        {
            (range[0], range[1]) = (from, to);
            Control(file, SetZeroData, range, 2 * sizeof(long));
        }
    }
}
