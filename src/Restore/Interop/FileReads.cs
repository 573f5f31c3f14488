using Microsoft.Win32.SafeHandles;

namespace Restore.Interop;

internal static class FileReads
{
    /// <summary>Reads from a place until the destination is full or the file ends.</summary>
    /// <exception cref="IOException">It cannot be read, or only from its beginning to its
    /// end.</exception>
    public static int ReadFully(this SafeFileHandle file, long offset, Span<byte> destination)
    {
        int total = 0;
        int read;
        while (total < destination.Length && (read = file.ReadAt(destination[total..], offset + total)) > 0)
        {
            total += read;
        }

        return total;
    }

    /// <summary>Reads what one call of the system gives.</summary>
    /// <exception cref="IOException">It cannot be read, or only from its beginning to its
    /// end.</exception>
    public static int ReadAt(this SafeFileHandle file, Span<byte> destination, long offset)
    {
        try
        {
            return RandomAccess.Read(file, destination, offset);
        }
        catch (NotSupportedException)
        {
            throw new NotSeekableException();
        }
    }
}
