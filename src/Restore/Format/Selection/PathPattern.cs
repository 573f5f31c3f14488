using System.Collections.Frozen;
using System.Text.RegularExpressions;

namespace Restore.Format.Selection;

/// <summary>Matches whole original paths against one filter expression. Immutable and safe for concurrent use.</summary>
internal abstract class PathPattern
{
    /// <summary>Separators of a path: a backup may come from another system.</summary>
    public static readonly SearchValues<char> Separators = SearchValues.Create("/\\");

    public abstract bool IsMatch(ReadOnlySpan<char> path);
}

/// <summary>What a plain path or name matches, in which no character is a wildcard.</summary>
internal enum PlainKind
{
    /// <summary>The path itself.</summary>
    Path,

    /// <summary>A folder, with a separator at its end: itself and all that is below.</summary>
    Folder,

    /// <summary>A name without a separator: what has it, in any folder.</summary>
    Name,

    /// <summary>A name with a separator at its end: folders of that name, in any folder.</summary>
    FolderName,

    /// <summary>The same: such folders and all that is below.</summary>
    BelowFolderName,
}

internal readonly record struct PlainPath(string Text, PlainKind Kind);

/// <summary>Plain paths, folders and names; some look-ups for a path, whatever their number.</summary>
internal sealed class PlainPattern(IReadOnlyCollection<PlainPath> all, bool ofWindows, bool caseSensitive) : PathPattern
{
    private readonly PlainSet paths = new(all, PlainKind.Path, caseSensitive);
    private readonly PlainSet folders = new(all, PlainKind.Folder, caseSensitive);
    private readonly PlainSet names = new(all, PlainKind.Name, caseSensitive);
    private readonly PlainSet folderNames = new(all, PlainKind.FolderName, caseSensitive);
    private readonly PlainSet belowNames = new(all, PlainKind.BelowFolderName, caseSensitive);

    public override bool IsMatch(ReadOnlySpan<char> path) =>
        paths.Contains(path) || IsInFolder(path) || HasName(path) || IsOfFolderName(path, '/') || IsOfFolderName(path, '\\');

    private bool IsInFolder(ReadOnlySpan<char> path)
    {
        for (int end = 0; !folders.IsEmpty && path[end..].IndexOfAny(Separators) is int next and >= 0;)
        {
            end += next + 1;
            if (folders.Contains(path[..end]))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Only what stands between two separators is the name of a folder: the first part of a path is where the backup begins.</summary>
    private bool IsOfFolderName(ReadOnlySpan<char> path, char separator)
    {
        int end = folderNames.IsEmpty && belowNames.IsEmpty ? -1 : path.IndexOf(separator);
        while (end >= 0 && path[(end + 1)..].IndexOf(separator) is int length and >= 0)
        {
            ReadOnlySpan<char> name = path.Slice(end + 1, length + 1);
            end += length + 1;
            if (belowNames.Contains(name) || (end == path.Length - 1 && folderNames.Contains(name)))
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>In a path that is not of Windows a name can have a backslash.</summary>
    private bool HasName(ReadOnlySpan<char> path) =>
        !names.IsEmpty && path.LastIndexOfAny('/', ofWindows ? '\\' : '/') is int last and >= 0 && names.Contains(path[(last + 1)..]);
}

/// <summary>The texts of one kind.</summary>
internal sealed class PlainSet
{
    private readonly FrozenSet<string>.AlternateLookup<ReadOnlySpan<char>> texts;

    public PlainSet(IEnumerable<PlainPath> all, PlainKind kind, bool caseSensitive)
    {
        FrozenSet<string> set = all.Where(one => one.Kind == kind).Select(one => one.Text)
            .ToFrozenSet(caseSensitive ? StringComparer.Ordinal : StringComparer.OrdinalIgnoreCase);
        IsEmpty = set.Count == 0;
        texts = set.GetAlternateLookup<ReadOnlySpan<char>>();
    }

    public bool IsEmpty { get; }

    public bool Contains(ReadOnlySpan<char> text) => texts.Contains(text);
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
                $"The filter expression '[{expression}]' is not a regular expression: {ReasonOf(expression) ?? invalid.Reason()}",
                innerException: invalid);
        }
    }

    /// <summary>What is wrong with an expression as the user wrote it; null if it is only wrong with what is put around it.</summary>
    private static string? ReasonOf(string expression)
    {
        try
        {
            _ = new Regex(expression, RegexOptions.None, LongestMatch);
            return null;
        }
        catch (ArgumentException invalid)
        {
            return invalid.Reason();
        }
    }
}
