using System.Numerics;
using System.Runtime.InteropServices;

namespace Restore.Benchmarks.Data;

/// <summary>
/// A fast random generator (xoshiro256**) that gives the same numbers for the same seed everywhere.
/// </summary>
internal sealed class Random64
{
    private ulong a;
    private ulong b;
    private ulong c;
    private ulong d;

    public Random64(ulong seed)
    {
        a = Mix(ref seed);
        b = Mix(ref seed);
        c = Mix(ref seed);
        d = Mix(ref seed);
    }

    public ulong Next()
    {
        ulong result = BitOperations.RotateLeft(b * 5, 7) * 9;
        ulong t = b << 17;
        c ^= a;
        d ^= b;
        b ^= c;
        a ^= d;
        c ^= t;
        d = BitOperations.RotateLeft(d, 45);
        return result;
    }

    /// <summary>From 0 (inclusive) to 1 (exclusive).</summary>
    public double NextDouble() => (Next() >> 11) * (1.0 / (1UL << 53));

    /// <summary>From 0 (inclusive) to <paramref name="end"/> (exclusive).</summary>
    public long NextBelow(long end) => (long)Math.BigMul(Next(), (ulong)end, out _);

    public void Fill(Span<byte> bytes)
    {
        Span<ulong> words = MemoryMarshal.Cast<byte, ulong>(bytes);
        foreach (ref ulong word in words)
        {
            word = Next();
        }

        ulong last = Next();
        MemoryMarshal
            .AsBytes(new Span<ulong>(ref last))[..(bytes.Length % sizeof(ulong))]
            .CopyTo(bytes[(words.Length * sizeof(ulong))..]);
    }

    private static ulong Mix(ref ulong state)
    {
        ulong z = state += 0x9E3779B97F4A7C15;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        return z ^ (z >> 31);
    }
}
