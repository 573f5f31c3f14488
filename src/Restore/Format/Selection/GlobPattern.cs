namespace Restore.Format.Selection;

/// <summary>
/// A glob: <c>*</c> is any sequence of characters, separators included; <c>?</c> is one character
/// (a UTF-16 unit, as in Duplicati). After a mismatch only the last <c>*</c> is tried again, so the
/// time is at most length of path times length of pattern.
/// </summary>
internal sealed class GlobPattern : PathPattern
{
    private readonly char[] characters;
    private readonly Wildcard[] wildcards;
    private readonly bool caseSensitive;

    private GlobPattern(char[] characters, Wildcard[] wildcards, bool caseSensitive)
    {
        this.characters = caseSensitive ? characters : Array.ConvertAll(characters, char.ToUpperInvariant);
        this.wildcards = wildcards;
        this.caseSensitive = caseSensitive;
    }

    private enum Wildcard : byte
    {
        None,
        One,
        Run,
    }

    /// <summary>Parses a glob as the user wrote it.</summary>
    public static GlobPattern Parse(string glob, bool caseSensitive)
    {
        // In Duplicati "**" at the end needs at least one character, so that "/a/**" leaves out the
        // folder "/a/" itself.
        string effective = glob.EndsWith("**", StringComparison.Ordinal)
            ? string.Concat(glob.AsSpan(0, glob.Length - 1), "?*")
            : glob;
        return new GlobPattern(
            effective.ToCharArray(),
            Array.ConvertAll(effective.ToCharArray(), ToWildcard),
            caseSensitive
        );
    }

    public override bool IsMatch(ReadOnlySpan<char> path)
    {
        int at = 0;
        int next = 0;
        int afterRun = -1;
        int runEnd = 0;
        while (next < path.Length)
        {
            if (at < wildcards.Length && wildcards[at] == Wildcard.Run)
            {
                afterRun = ++at;
                runEnd = next;
            }
            else if (at < wildcards.Length && (wildcards[at] == Wildcard.One || IsSame(characters[at], path[next])))
            {
                at++;
                next++;
            }
            else if (afterRun < 0)
            {
                return false;
            }
            else
            {
                // The last run takes one more character, and the pattern after it is tried again
                // from there. An earlier run never needs to grow: the last one can take the same
                // characters.
                at = afterRun;
                next = ++runEnd;
            }
        }

        return wildcards.AsSpan(at).IndexOfAnyExcept(Wildcard.Run) < 0;
    }

    private static Wildcard ToWildcard(char character) =>
        character switch
        {
            '*' => Wildcard.Run,
            '?' => Wildcard.One,
            _ => Wildcard.None,
        };

    private bool IsSame(char expected, char actual) =>
        expected == (caseSensitive ? actual : char.ToUpperInvariant(actual));
}
