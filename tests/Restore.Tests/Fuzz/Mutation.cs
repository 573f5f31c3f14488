using System.Buffers.Binary;
using System.Globalization;
using System.Text;

namespace Restore.Tests.Fuzz;

/// <summary>Changes bytes at random, in ways that readers find hard.</summary>
internal static class Mutation
{
    private static readonly long[] Numbers =
    [
        0,
        1,
        -1,
        2,
        127,
        128,
        255,
        256,
        1023,
        1024,
        65_535,
        65_536,
        int.MaxValue,
        1L << 31,
        uint.MaxValue,
        1L << 32,
        1L << 48,
        long.MaxValue,
        long.MinValue,
    ];

    /// <summary>A changed copy: one to four changes, one after the other.</summary>
    public static byte[] Of(byte[] bytes, Random random)
    {
        byte[] changed = [.. bytes];
        int changes = 1 + (random.Next(4) * random.Next(2));
        for (int change = 0; change < changes && changed.Length > 0; change++)
        {
            changed = Once(changed, random);
        }

        return changed;
    }

    private static byte[] Once(byte[] bytes, Random random)
    {
        int at = random.Next(bytes.Length);
        int length = Math.Min(1 + (int)Math.Pow(2, random.NextDouble() * 14), bytes.Length - at);
        switch (random.Next(9))
        {
            case 0:
                bytes[at] ^= (byte)(1 << random.Next(8));
                return bytes;
            case 1:
                bytes[at] = new byte[] { 0, 0xFF, 0x7F, 0x80, (byte)'"', (byte)'\\', (byte)'}' }[random.Next(7)];
                return bytes;
            case 2:
                random.NextBytes(bytes.AsSpan(at, length));
                return bytes;
            case 3:
                return bytes[..at];
            case 4:
                return [.. bytes.AsSpan(0, at), .. bytes.AsSpan(at + length)];
            case 5:
                return [.. bytes.AsSpan(0, at + length), .. bytes.AsSpan(at)];
            case 6:
                bytes.AsSpan(at, length).ToArray().CopyTo(bytes, random.Next(bytes.Length - length + 1));
                return bytes;
            case 7:
                WriteNumber(bytes, at, Numbers[random.Next(Numbers.Length)], random.Next(3));
                return bytes;
            default:
                return EditDigits(bytes, at, random);
        }
    }

    private static void WriteNumber(byte[] bytes, int at, long number, int width)
    {
        Span<byte> place = bytes.AsSpan(at);
        if (width == 0 && place.Length >= sizeof(short))
        {
            BinaryPrimitives.WriteInt16LittleEndian(place, unchecked((short)number));
        }
        else if (width == 1 && place.Length >= sizeof(int))
        {
            BinaryPrimitives.WriteInt32LittleEndian(place, unchecked((int)number));
        }
        else if (place.Length >= sizeof(long))
        {
            BinaryPrimitives.WriteInt64LittleEndian(place, number);
        }
    }

    /// <summary>
    /// Replaces the next number in digits: a size in a list, a field of a tar head.
    /// </summary>
    private static byte[] EditDigits(byte[] bytes, int at, Random random)
    {
        int start = bytes.AsSpan(at).IndexOfAnyInRange((byte)'0', (byte)'9');
        if (start < 0)
        {
            return bytes;
        }

        start += at;
        int length = bytes.AsSpan(start).IndexOfAnyExceptInRange((byte)'0', (byte)'9');
        int end = length < 0 ? bytes.Length : start + length;
        string number = Numbers[random.Next(Numbers.Length)].ToString(CultureInfo.InvariantCulture);
        return [.. bytes.AsSpan(0, start), .. Encoding.ASCII.GetBytes(number), .. bytes.AsSpan(end)];
    }
}
