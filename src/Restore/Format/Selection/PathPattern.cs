using System.Collections.Frozen;
using System.Text.RegularExpressions;

namespace Restore.Format.Selection;

/// <summary>Matches whole original paths against one filter expression. Immutable and safe for concurrent use.</summary>
internal abstract class PathPattern
{
    public abstract bool IsMatch(ReadOnlySpan<char> path);
}

/// <summary>A set of exact paths; one look-up, whatever their number.</summary>
internal sealed class LiteralPattern : PathPattern
{
    private readonly FrozenSet<string>.AlternateLookup<ReadOnlySpan<char>> paths;

    public LiteralPattern(IEnumerable<string> paths, bool caseSensitive) =>
        this.paths = paths.ToFrozenSet(caseSensitive ? StringComparer.Ordinal : StringComparer.OrdinalIgnoreCase).GetAlternateLookup<ReadOnlySpan<char>>();

    public override bool IsMatch(ReadOnlySpan<char> path) => paths.Contains(path);
}

/// <summary>
/// A glob: <c>*</c> is any sequence of characters, separators included; <c>?</c> is one character (a UTF-16 unit, as in Duplicati).
/// After a mismatch only the last <c>*</c> is tried again, so the time is at most length of path times length of pattern.
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
        // In Duplicati "**" at the end needs at least one character, so that "/a/**" leaves out the folder "/a/" itself.
        string effective = glob.EndsWith("**", StringComparison.Ordinal) ? string.Concat(glob.AsSpan(0, glob.Length - 1), "?*") : glob;
        return new GlobPattern(effective.ToCharArray(), Array.ConvertAll(effective.ToCharArray(), ToWildcard), caseSensitive);
    }

    /// <summary>Everything that begins with <paramref name="text"/>, in which no character is a wildcard.</summary>
    public static GlobPattern StartingWith(string text, bool caseSensitive) =>
        new([.. text, '*'], [.. new Wildcard[text.Length], Wildcard.Run], caseSensitive);

    /// <summary>Everything that ends in <paramref name="text"/>, in which no character is a wildcard.</summary>
    public static GlobPattern EndingIn(string text, bool caseSensitive) =>
        new(['*', .. text], [Wildcard.Run, .. new Wildcard[text.Length]], caseSensitive);

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
                at = afterRun;
                next = ++runEnd;
            }
        }

        return wildcards.AsSpan(at).IndexOfAnyExcept(Wildcard.Run) < 0;
    }

    private static Wildcard ToWildcard(char character) => character switch
    {
        '*' => Wildcard.Run,
        '?' => Wildcard.One,
        _ => Wildcard.None,
    };

    private bool IsSame(char expected, char actual) => expected == (caseSensitive ? actual : char.ToUpperInvariant(actual));
}

/// <summary>
/// A regular expression over the whole path. It runs in linear time where .NET can do that (no lookaround, no backreferences).
/// Others have a time limit, so that no expression can hang a restore.
/// </summary>
internal sealed class RegexPattern : PathPattern
{
    // Matching a path takes microseconds; an expression that takes a million times as long never ends.
    private static readonly TimeSpan LongestMatch = TimeSpan.FromSeconds(2);

    private readonly string expression;
    private readonly Regex regex;

    /// <param name="expression">The expression as the user wrote it, without the brackets around it.</param>
    /// <exception cref="RestoreException">The text is not a regular expression.</exception>
    public RegexPattern(string expression, bool caseSensitive)
    {
        this.expression = expression;
        bool isAnchored = expression.StartsWith('^') && expression.EndsWith('$');
        regex = Compile(isAnchored ? expression : $"^({expression})$", caseSensitive);
    }

    public override bool IsMatch(ReadOnlySpan<char> path)
    {
        try
        {
            // Compares the length, because "$" also matches before a line feed at the end, which a name may have.
            Regex.ValueMatchEnumerator matches = regex.EnumerateMatches(path);
            return matches.MoveNext() && matches.Current.Length == path.Length;
        }
        catch (RegexMatchTimeoutException timeout)
        {
            throw new RestoreException(
                RestoreErrorCode.FilterTooSlow,
                $"The filter expression '[{expression}]' took more than {LongestMatch.TotalSeconds:0} seconds on one path",
                path.ToString(),
                timeout);
        }
    }

    private Regex Compile(string pattern, bool caseSensitive)
    {
        RegexOptions options = RegexOptions.ExplicitCapture | RegexOptions.Singleline | RegexOptions.CultureInvariant
            | (caseSensitive ? RegexOptions.None : RegexOptions.IgnoreCase);
        try
        {
            try
            {
                return new Regex(pattern, options | RegexOptions.NonBacktracking, LongestMatch);
            }
            catch (NotSupportedException)
            {
                return new Regex(pattern, options, LongestMatch);
            }
        }
        catch (ArgumentException invalid)
        {
            throw new RestoreException(
                RestoreErrorCode.FilterInvalid,
                $"The filter expression '[{expression}]' is not a regular expression: {invalid.Reason()}",
                innerException: invalid);
        }
    }
}
