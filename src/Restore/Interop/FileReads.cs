using Microsoft.Win32.SafeHandles;

namespace Restore.Interop;

internal static class FileReads
{
    /// <summary>Reads from a place until the destination is full or the file ends.</summary>
    public static int ReadFully(this SafeFileHandle file, long offset, Span<byte> destination)
    {
        int total = 0;
        int read;
        while (total < destination.Length && (read = RandomAccess.Read(file, destination[total..], offset + total)) > 0)
        {
            total += read;
        }

        return total;
    }
}
