using System.Text.RegularExpressions;

namespace Restore.Format.Selection;

/// <summary>
/// A regular expression over the whole path. It runs in linear time where .NET can do that (no
/// lookaround, no backreferences). Others have a time limit, so that no expression can hang a
/// restore.
/// </summary>
internal sealed class RegexPattern : PathPattern
{
    // Matching a path takes microseconds; an expression that takes a million times as long never
    // ends.
    private static readonly TimeSpan LongestMatch = TimeSpan.FromSeconds(2);

    private readonly string expression;
    private readonly Regex regex;

    /// <param name="expression">The expression as the user wrote it, without the brackets around
    /// it.</param>
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
            // Compares the length, because "$" also matches before a line feed at the end, which a
            // name may have.
            Regex.ValueMatchEnumerator matches = regex.EnumerateMatches(path);
            return matches.MoveNext() && matches.Current.Length == path.Length;
        }
        catch (RegexMatchTimeoutException timeout)
        {
            throw new RestoreException(
                RestoreErrorCode.FilterTooSlow,
                $"The filter expression '[{expression}]' took more than {LongestMatch.TotalSeconds:0} seconds on one path",
                path.ToString(),
                timeout
            );
        }
    }

    private Regex Compile(string pattern, bool caseSensitive)
    {
        RegexOptions options =
            RegexOptions.ExplicitCapture
            | RegexOptions.Singleline
            | RegexOptions.CultureInvariant
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
                innerException: invalid
            );
        }
    }

    /// <summary>
    /// What is wrong with an expression as the user wrote it; null if it is only wrong with what is
    /// put around it.
    /// </summary>
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
