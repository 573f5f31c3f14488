using Restore.Format.Selection;

namespace Restore;

/// <summary>Selects entries of a version: Duplicati's filter expressions, first match wins. Immutable and safe for concurrent use.</summary>
public sealed class EntryFilter
{
    private const int ExpressionsDescribed = 4;

    private readonly (bool Include, PathPattern Pattern)[] rules;

    // The same rules for a path of Windows, on which '/' and '\' are one, and case makes no difference, wherever it is restored.
    private readonly Lazy<(bool Include, PathPattern Pattern)[]> rulesOfWindows;
    private readonly bool takesTheRest;
    private readonly string description;

    private EntryFilter(
        (bool Include, PathPattern Pattern)[] rules,
        Func<(bool Include, PathPattern Pattern)[]> ofWindows,
        bool caseSensitive,
        string? folder,
        string description)
    {
        this.rules = rules;
        rulesOfWindows = new(ofWindows);
        takesTheRest = rules.Length == 0 || rules.Any(rule => !rule.Include);
        this.description = description;
        CaseSensitive = caseSensitive;
        Folder = folder;
    }

    /// <summary>Selects every entry.</summary>
    public static EntryFilter All { get; } = new([], () => [], caseSensitive: true, null, "everything");

    /// <summary>Whether every entry is selected, whatever its path.</summary>
    public bool IsAll => rules.Length == 0;

    /// <summary>Whether what no rule matches is left out.</summary>
    internal bool HasOnlyIncludes => !IsAll && !takesTheRest;

    /// <summary>Whether case makes a difference.</summary>
    internal bool CaseSensitive { get; }

    /// <summary>The folder of the only path argument, with its separator; null in every other case. The folder keeps its name at the target.</summary>
    internal string? Folder { get; }

    /// <summary>
    /// Creates a filter. Path arguments come first, then the rules; the first match decides. An entry without a match is left out if there are only includes,
    /// and selected if there is an exclude. An alternate stream (<c>C:\file.txt:stream</c>) without a match follows its file.
    /// </summary>
    /// <param name="pathArguments">
    /// Names (<c>notes.txt</c>, in any folder), folders with a separator at the end (<c>/home/ann/</c>, all that is below), or expressions.
    /// </param>
    /// <param name="rules">Includes and excludes in the order of the command line.</param>
    /// <param name="caseSensitive">
    /// Whether case makes a difference; null for the convention of this system: not on Windows and macOS. In a path of Windows it makes none on any system, and
    /// '/' is '\'.
    /// </param>
    /// <exception cref="RestoreException">An expression cannot be used; the message names it.</exception>
    public static EntryFilter Parse(IEnumerable<string> pathArguments, IEnumerable<FilterRule> rules, bool? caseSensitive = null)
    {
        ArgumentNullException.ThrowIfNull(pathArguments);
        ArgumentNullException.ThrowIfNull(rules);
        bool ordinal = caseSensitive ?? !(OperatingSystem.IsWindows() || OperatingSystem.IsMacOS());
        string[] arguments = [.. pathArguments];
        FilterRule[] others = [.. rules];
        if (arguments.Length + others.Length == 0)
        {
            return All;
        }

        List<(bool Include, FilterExpression Expression)> expressions = ExpressionsOf(arguments, others, ordinal);
        string? folder = arguments.Length == 1 ? expressions[0].Expression.Folder : null;
        return new EntryFilter([.. Compile(expressions, ordinal)], RulesOfWindows, ordinal, folder, Describe(arguments, others));

        (bool Include, PathPattern Pattern)[] RulesOfWindows()
        {
            IEnumerable<FilterRule> ofWindows = others.Select(rule => new FilterRule(rule.Include, InWindows(rule.Expression)));
            return [.. Compile(ExpressionsOf(arguments.Select(InWindows), ofWindows, caseSensitive: false), caseSensitive: false)];
        }
    }

    /// <summary>Takes entries by their exact paths, in which nothing is an expression.</summary>
    internal static EntryFilter Exactly(params IEnumerable<string> paths)
    {
        string[] all = [.. paths];
        PlainPattern pattern = new([.. all.Select(path => new PlainPath(path, PlainKind.Path))], caseSensitive: true);
        return new EntryFilter([(true, pattern)], () => [(true, pattern)], caseSensitive: true, null, $"'{all[0]}'");
    }

    /// <summary>Whether an entry is taken.</summary>
    /// <param name="path">Its original path; that of a folder ends with a separator.</param>
    /// <exception cref="RestoreException">A regular expression exceeded its time limit.</exception>
    public bool Matches(ReadOnlySpan<char> path)
    {
        if (IsAll)
        {
            return true;
        }

        bool? decision = Decide(path);
        if (decision is null && StreamHostLength(path) is int hostLength and > 0)
        {
            // Streams are rare, so a string for each is acceptable: the stream of a folder names the folder without its separator.
            decision = Decide(path[..hostLength]) ?? Decide($"{path[..hostLength]}\\");
        }

        return decision ?? takesTheRest;
    }

    /// <summary>The selection, for messages.</summary>
    public string Describe() => description;

    /// <inheritdoc cref="Describe()"/>
    public override string ToString() => description;

    /// <summary>Whether an entry is selected.</summary>
    /// <param name="utf8Path">Its original path.</param>
    /// <param name="scratch">Buffer for the path in UTF-16, reused from call to call, enlarged if necessary.</param>
    internal bool Matches(ReadOnlySpan<byte> utf8Path, ref char[] scratch)
    {
        if (IsAll)
        {
            return true;
        }

        if (scratch.Length < utf8Path.Length)
        {
            scratch = new char[Math.Max(utf8Path.Length, 512)];
        }

        int length = Encoding.UTF8.GetChars(utf8Path, scratch);
        return Matches(scratch.AsSpan(0, length));
    }

    private static List<(bool Include, FilterExpression Expression)> ExpressionsOf(
        IEnumerable<string> arguments, IEnumerable<FilterRule> rules, bool caseSensitive) =>
    [
        .. arguments.Select(argument => (true, FilterExpression.ParseArgument(argument, caseSensitive))),
        .. rules.Select(rule => (rule.Include, FilterExpression.Parse(rule.Expression, caseSensitive))),
    ];

    /// <summary>An expression with the separator of Windows; a regular expression has it only as the user wrote it.</summary>
    private static string InWindows(string expression) => expression.StartsWith('[') ? expression : expression.Replace('/', '\\');

    private static bool IsOfWindows(ReadOnlySpan<char> path) => path is [_, ':', '\\', ..] or ['\\', '\\', ..];

    /// <summary>Merges consecutive plain paths with the same sign into one set, so that ten thousand cost as much as one.</summary>
    private static IEnumerable<(bool Include, PathPattern Pattern)> Compile(List<(bool Include, FilterExpression Expression)> expressions, bool caseSensitive)
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
            bool isLastOfRun = i + 1 == expressions.Count || expressions[i + 1].Include != include || expressions[i + 1].Expression.Plain is null;
            if (isLastOfRun)
            {
                yield return (include, new PlainPattern(plain, caseSensitive));
                plain = [];
            }
        }
    }

    private static string Describe(string[] arguments, FilterRule[] rules)
    {
        string[] all =
        [
            .. arguments.Select(argument => $"'{argument}'"),
            .. rules.Select(rule => $"{(rule.Include ? "include" : "exclude")} '{rule.Expression}'"),
        ];
        string first = string.Join(", ", all.Take(ExpressionsDescribed));
        return all.Length > ExpressionsDescribed ? $"{first} and {all.Length - ExpressionsDescribed} more" : first;
    }

    /// <summary>Length of a Windows path before the colon of a stream's name; 0 if the path is not that of a stream.</summary>
    private static int StreamHostLength(ReadOnlySpan<char> path)
    {
        int colon = IsOfWindows(path) ? path.LastIndexOf(':') : -1;
        return colon > 2 && !path[colon..].Contains('\\') ? colon : 0;
    }

    private bool? Decide(ReadOnlySpan<char> path)
    {
        foreach ((bool include, PathPattern pattern) in IsOfWindows(path) ? rulesOfWindows.Value : rules)
        {
            if (pattern.IsMatch(path))
            {
                return include;
            }
        }

        return null;
    }
}
