using System.IO.Hashing;

namespace Restore.Assessment;

/// <summary>
/// Names in folders as numbers, to compare many. The seed is random, so that no backup chooses
/// names that collide.
/// </summary>
internal sealed class NameKeys
{
    private readonly long seed = BinaryPrimitives.ReadInt64LittleEndian(RandomNumberGenerator.GetBytes(sizeof(long)));

    /// <param name="folder">The number of the folder; -1 for any.</param>
    public ulong Of(int folder, ReadOnlySpan<byte> name) =>
        XxHash3.HashToUInt64(name, seed ^ ((long)(folder + 1) * 0x1E3779B97F4A7C15));

    /// <summary>
    /// The same for names that differ in their numbers only: rotated logs, numbered and dated
    /// files.
    /// </summary>
    public ulong WithoutNumbers(int folder, ReadOnlySpan<byte> name)
    {
        Span<byte> changed = stackalloc byte[256];
        int length = 0;
        bool wasDigit = false;
        foreach (byte letter in name[..Math.Min(name.Length, changed.Length)])
        {
            bool isDigit = letter is >= (byte)'0' and <= (byte)'9';
            if (!isDigit || !wasDigit)
            {
                changed[length++] = isDigit ? (byte)'0' : letter;
            }

            wasDigit = isDigit;
        }

        return Of(folder, changed[..length]);
    }

    /// <summary>A name without its last extension, whatever its length.</summary>
    public static ReadOnlySpan<byte> StemOf(ReadOnlySpan<byte> name) =>
        name.LastIndexOf((byte)'.') is > 0 and int dot ? name[..dot] : name;
}
