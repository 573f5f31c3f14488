namespace Restore.Format.Selection;

/// <summary>
/// The syllables of Korean, which the Unicode Standard composes by their numbers.
/// </summary>
internal static class Hangul
{
    public const int FirstVowel = 0x1161;
    public const int LastTail = 0x11C2;

    private const int FirstSyllable = 0xAC00;
    private const int FirstLead = 0x1100;
    private const int BeforeTails = 0x11A7;
    private const int Leads = 19;
    private const int Vowels = 21;
    private const int Tails = 28;

    public static bool TryDecompose(int character, out int first, out int second)
    {
        // Syllables are numbered by lead, vowel and tail; each open syllable is followed by the
        // same with its tails. A closed syllable decomposes into the open one and the tail.
        int syllable = character - FirstSyllable;
        bool isSyllable = syllable is >= 0 and < Leads * Vowels * Tails;
        (int open, int tail) = Math.DivRem(isSyllable ? syllable : 0, Tails);
        (first, second) =
            tail > 0
                ? (character - tail, BeforeTails + tail)
                : (FirstLead + (open / Vowels), FirstVowel + (open % Vowels));
        return isSyllable;
    }

    public static bool TryCompose(int first, int second, out int composed)
    {
        (int lead, int vowel, int open, int tail) = (
            first - FirstLead,
            second - FirstVowel,
            first - FirstSyllable,
            second - BeforeTails
        );
        bool isOpen = lead is >= 0 and < Leads && vowel is >= 0 and < Vowels;
        bool isClosed = open is >= 0 and < Leads * Vowels * Tails && open % Tails == 0 && tail is > 0 and < Tails;
        composed = isOpen ? FirstSyllable + (((lead * Vowels) + vowel) * Tails) : first + tail;
        return isOpen || isClosed;
    }
}
