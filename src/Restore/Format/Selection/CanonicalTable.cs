using System.Collections.Frozen;
using System.IO.Compression;

namespace Restore.Format.Selection;

/// <summary>
/// How characters are composed and ordered by the Unicode Standard. The program runs without the
/// tables of the system.
/// </summary>
internal static partial class CanonicalTable
{
    private static readonly FrozenDictionary<int, (int First, int Second)> Decompositions;
    private static readonly FrozenDictionary<(int First, int Second), int> Compositions;
    private static readonly FrozenDictionary<int, byte> Classes;

    // What a text in composed form may not have, or only sometimes, a bit for each character of the
    // basic plane.
    private static readonly ulong[] Unsure = new ulong[0x10000 / 64];

    static CanonicalTable()
    {
        using DeflateStream inflated = new(
            new MemoryStream(Convert.FromBase64String(Data)),
            CompressionMode.Decompress
        );
        using MemoryStream bytes = new();
        inflated.CopyTo(bytes);
        ReadOnlySpan<byte> table = bytes.GetBuffer().AsSpan(0, (int)bytes.Length);
        Dictionary<int, (int First, int Second)> decompositions = [];
        Dictionary<(int First, int Second), int> compositions = [];
        Dictionary<int, byte> classes = [];

        // The data is two lists of numbers of 7 bits a byte. Characters, and the first parts of
        // decompositions, are differences to the ones before.
        // 1. Characters with their decompositions. The lowest bit of the second part says that the
        //    pair is not composed again.
        // 2. Runs of characters with the same combining class.
        (int character, int first) = (0, 0);
        for (int left = Next(ref table); left > 0; left--)
        {
            character += Next(ref table);
            int step = Next(ref table);
            first += (step & 1) == 0 ? step >> 1 : -((step + 1) >> 1);
            int second = Next(ref table);
            decompositions.Add(character, (first, second >> 1));
            if ((second & 1) == 0)
            {
                compositions.Add((first, second >> 1), character);
                MarkUnsure(second >> 1);
            }
            else
            {
                MarkUnsure(character);
            }
        }

        character = 0;
        for (int left = Next(ref table); left > 0; left--)
        {
            character += Next(ref table);
            int count = Next(ref table);
            byte order = (byte)Next(ref table);
            for (int one = character; one < character + count; one++)
            {
                classes.Add(one, order);
                MarkUnsure(one);
            }
        }

        for (int jamo = Hangul.FirstVowel; jamo <= Hangul.LastTail; jamo++)
        {
            MarkUnsure(jamo);
        }

        for (int surrogate = 0xD800; surrogate < 0xE000; surrogate++)
        {
            MarkUnsure(surrogate);
        }

        Decompositions = decompositions.ToFrozenDictionary();
        Compositions = compositions.ToFrozenDictionary();
        Classes = classes.ToFrozenDictionary();
    }

    /// <summary>Whether a text may have another composed form than itself. No is certain.</summary>
    public static bool IsUnsure(char character) => (Unsure[character >> 6] >> (character & 63) & 1) != 0;

    /// <summary>
    /// The order of a combining character among its neighbours; 0 for one that others combine with.
    /// </summary>
    public static byte ClassOf(int character) => Classes.GetValueOrDefault(character);

    /// <summary>
    /// One step of a decomposition; the second character is 0 if the first is all.
    /// </summary>
    public static bool TryDecompose(int character, out int first, out int second)
    {
        if (Hangul.TryDecompose(character, out first, out second))
        {
            return true;
        }

        bool isKnown = Decompositions.TryGetValue(character, out (int First, int Second) parts);
        (first, second) = parts;
        return isKnown;
    }

    public static bool TryCompose(int first, int second, out int composed) =>
        Hangul.TryCompose(first, second, out composed) || Compositions.TryGetValue((first, second), out composed);

    private static void MarkUnsure(int character)
    {
        // Of characters beyond the basic plane the surrogates are.
        if (character < 0x10000)
        {
            Unsure[character >> 6] |= 1UL << (character & 63);
        }
    }

    private static int Next(ref ReadOnlySpan<byte> table)
    {
        int value = 0;
        for (int shift = 0; ; shift += 7)
        {
            byte part = table[0];
            table = table[1..];
            value |= (part & 127) << shift;
            if (part < 128)
            {
                return value;
            }
        }
    }
}
