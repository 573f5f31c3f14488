namespace Restore.Ends.Portable;

/// <summary>
/// Finds the ranges of a file that have nothing but zeros, in the units in which file systems of
/// Windows leave room out.
/// </summary>
internal static class ZeroRanges
{
    private const int UnitBytes = 1 << 16;
    private const int BufferBytes = 16 * UnitBytes;

    /// <param name="read">Fills a buffer from an offset on; returns the number of bytes, less than
    /// the length of the buffer only at the end of the file.</param>
    public static IEnumerable<(long From, long To)> Of(Func<long, byte[], int> read)
    {
        byte[] buffer = new byte[BufferBytes];
        long start = -1;
        long offset = 0;
        int length;
        do
        {
            length = read(offset, buffer);
            for (int at = 0; at < length; at += UnitBytes)
            {
                bool isZero = !buffer.AsSpan(at, Math.Min(UnitBytes, length - at)).ContainsAnyExcept((byte)0);
                if (!isZero && start >= 0)
                {
                    yield return (start, offset + at);
                }

                start =
                    !isZero ? -1
                    : start >= 0 ? start
                    : offset + at;
            }

            offset += length;
        } while (length == BufferBytes);

        if (start >= 0)
        {
            yield return (start, offset);
        }
    }
}
