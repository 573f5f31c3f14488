namespace Restore.Compression.Methods;

/// <summary>
/// Recognizes data in which no byte value is more frequent than others: random, encrypted or
/// compressed data.
/// </summary>
internal static class ByteSpread
{
    // Codes of different lengths save at most a hundredth of data that is this close to even.
    // Chance alone is five times closer, from 1 KiB on.
    private const int Tolerance = 8;

    /// <summary>
    /// Whether the byte values are about equally frequent. Repetitions are not looked for.
    /// </summary>
    public static bool IsEven(ReadOnlySpan<byte> data)
    {
        Span<int> counts = stackalloc int[256];
        counts.Clear();
        foreach (byte value in data)
        {
            counts[value]++;
        }

        // Counts the pairs of equal bytes. In random data, one pair in 256 is equal.
        long equalPairs = 0;
        foreach (int count in counts)
        {
            equalPairs += (long)count * (count - 1);
        }

        long pairs = (long)data.Length * (data.Length - 1);
        return equalPairs * 256 <= pairs + (pairs / Tolerance);
    }
}
