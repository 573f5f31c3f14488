namespace Restore.Assessment;

/// <summary>
/// Tells random bytes from others by how often each value occurs (the chi-squared test): what is
/// encrypted is random, text and programs are far from it, and what is compressed is close to it
/// but not random in longer pieces.
/// </summary>
internal static class ByteStatistics
{
    /// <summary>With fewer bytes nothing can be said.</summary>
    public const int Least = 256;

    private const int Values = 256;

    // Of random bytes one piece in 30,000 has more: the mean is 255, the deviation 22.6.
    private const double MostOfRandom = 350;
    private const double LeastOfStructured = 1000;

    // Compressed pieces of 64 KiB have more.
    private const double MostNearRandom = 600;

    public static bool IsRandom(ReadOnlySpan<byte> bytes) => bytes.Length >= Least && Distance(bytes) < MostOfRandom;

    /// <summary>Whether bytes may be random or well compressed.</summary>
    public static bool IsNearRandom(ReadOnlySpan<byte> bytes) => Distance(bytes) < MostNearRandom;

    /// <summary>Whether bytes are neither encrypted nor compressed.</summary>
    public static bool IsStructured(ReadOnlySpan<byte> bytes) =>
        bytes.Length >= Least && Distance(bytes) > Math.Max(LeastOfStructured, bytes.Length);

    private static double Distance(ReadOnlySpan<byte> bytes)
    {
        Span<int> counts = stackalloc int[Values];
        counts.Clear();
        foreach (byte value in bytes)
        {
            counts[value]++;
        }

        double expected = (double)bytes.Length / Values;
        double distance = 0;
        foreach (int count in counts)
        {
            distance += (count - expected) * (count - expected) / expected;
        }

        return distance;
    }
}
