namespace Restore.Format.Selection;

/// <summary>
/// Path arguments, then includes and excludes, for paths of one system: the first match decides.
/// Immutable and safe for concurrent use.
/// </summary>
internal sealed class FilterSet
{
    private readonly (bool Include, PathPattern Pattern)[] rules;

    private FilterSet(IEnumerable<(bool Include, PathPattern Pattern)> rules) => this.rules = [.. rules];

    /// <summary>Whether any rule is slower than a look-up.</summary>
    public bool HasPatterns => Array.Exists(rules, rule => rule.Pattern is not PlainPattern);

    /// <param name="arguments">The path arguments.</param>
    /// <param name="names">Those that only mean the name or path that they are.</param>
    /// <param name="rules">Includes and excludes.</param>
    /// <param name="reading">How the arguments are read.</param>
    /// <exception cref="RestoreException">An argument or expression cannot be used.</exception>
    public static FilterSet Parse(
        IReadOnlyList<string> arguments,
        IReadOnlySet<string> names,
        IReadOnlyList<FilterRule> rules,
        PathReading reading
    )
    {
        PathArgument[] read = [.. arguments.Select(argument => PathArgument.Parse(argument, reading))];
        IEnumerable<FilterExpression> meant = read.Where((_, at) => !names.Contains(arguments[at]))
            .SelectMany(argument => argument.Meant);

        // All of them take entries, so their order makes no difference, and the plain ones are one
        // set.
        FilterExpression[] taken =
        [
            .. read.SelectMany(argument => argument.Named).Select(FilterExpression.Of),
            .. meant,
        ];
        return new FilterSet(
            Compile(
                [
                    .. taken.OrderBy(expression => expression.Plain is null).Select(expression => (true, expression)),
                    .. rules.Select(rule =>
                        (rule.Include, FilterExpression.Parse(Written(rule.Expression, reading), reading.CaseSensitive))
                    ),
                ],
                reading
            )
        );
    }

    public static FilterSet OfPlain(IEnumerable<PlainPath> paths, PathReading reading) =>
        new([(true, new PlainPattern([.. paths], reading.OfWindows, reading.CaseSensitive))]);

    /// <summary>Whether a path is taken or left out; null if nothing matches it.</summary>
    /// <param name="path">The path as it is in the backup.</param>
    /// <param name="other">The path in its usual form, composed; empty if it has that form.</param>
    public bool? Decide(ReadOnlySpan<char> path, ReadOnlySpan<char> other)
    {
        foreach ((bool include, PathPattern pattern) in rules)
        {
            if (pattern.IsMatch(path) || (!other.IsEmpty && pattern.IsMatch(other)))
            {
                return include;
            }
        }

        return null;
    }

    /// <summary>
    /// An expression with the separator of Windows; a regular expression has it only as the user
    /// wrote it.
    /// </summary>
    private static string Written(string expression, PathReading reading) =>
        !reading.OfWindows || expression.StartsWith('[') ? expression
        : expression.StartsWith('@') ? '@' + PathArgument.WithoutLongForm(expression[1..]).Replace('/', '\\')
        : PathArgument.WithoutLongForm(expression).Replace('/', '\\');

    /// <summary>
    /// Merges consecutive plain paths with the same sign into one set, so that ten thousand cost as
    /// much as one.
    /// </summary>
    private static IEnumerable<(bool Include, PathPattern Pattern)> Compile(
        IReadOnlyList<(bool Include, FilterExpression Expression)> expressions,
        PathReading reading
    )
    {
        List<PlainPath> plain = [];
        for (int i = 0; i < expressions.Count; i++)
        {
            (bool include, FilterExpression expression) = expressions[i];
            if (expression.Pattern is PathPattern pattern)
            {
                yield return (include, pattern);
                continue;
            }

            plain.Add(expression.Plain!.Value);

            // The first match decides, so only neighbors with the same sign may become one set.
            bool isLastOfRun =
                i + 1 == expressions.Count
                || expressions[i + 1].Include != include
                || expressions[i + 1].Expression.Plain is null;
            if (isLastOfRun)
            {
                yield return (include, new PlainPattern(plain, reading.OfWindows, reading.CaseSensitive));
                plain = [];
            }
        }
    }
}
