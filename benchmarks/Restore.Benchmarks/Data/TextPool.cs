namespace Restore.Benchmarks.Data;

/// <summary>
/// Text to cut pieces from: random words, some of them used far more often than others (Zipf's
/// law), as in a language.
/// </summary>
internal sealed class TextPool
{
    private const int PoolBytes = 16 << 20;
    private const int WordCount = 20_000;
    private const double Exponent = 1.15;

    private readonly byte[] pool = new byte[PoolBytes];

    public TextPool(Random64 random)
    {
        byte[][] words = [.. Enumerable.Range(0, WordCount).Select(_ => Word(random))];
        int length = 0;
        while (length < PoolBytes)
        {
            byte[] word = words[Zipf(random)];
            int taken = Math.Min(word.Length, PoolBytes - length);
            word.AsSpan(0, taken).CopyTo(pool.AsSpan(length));
            length += taken;
        }
    }

    /// <summary>A piece from a random place in the pool.</summary>
    public ReadOnlySpan<byte> Piece(Random64 random, int lengthBytes) =>
        pool.AsSpan((int)random.NextBelow(PoolBytes - lengthBytes), lengthBytes);

    /// <summary>3 to 12 letters and a space.</summary>
    private static byte[] Word(Random64 random)
    {
        byte[] word = new byte[4 + random.NextBelow(10)];
        for (int i = 0; i < word.Length - 1; i++)
        {
            word[i] = (byte)('a' + random.NextBelow(26));
        }

        word[^1] = (byte)' ';
        return word;
    }

    /// <summary>A rank by Devroye's rejection method, modulo the number of words.</summary>
    private static int Zipf(Random64 random)
    {
        const double Less = Exponent - 1;
        double b = Math.Pow(2, Less);
        while (true)
        {
            double x = Math.Floor(Math.Pow(1 - random.NextDouble(), -1 / Less));
            double t = Math.Pow(1 + (1 / x), Less);
            if (x < long.MaxValue && random.NextDouble() * x * (t - 1) / (b - 1) <= t / b)
            {
                return (int)(((long)x - 1) % WordCount);
            }
        }
    }
}
