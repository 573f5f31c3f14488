using Restore.Format.Selection;

namespace Restore;

/// <summary>
/// Selects entries of a version: Duplicati's filter expressions, first match wins. Immutable and
/// safe for concurrent use.
/// </summary>
public sealed class EntryFilter
{
    private const int ExpressionsDescribed = 4;

    private readonly Definition definition;
    private readonly FilterSet rules;

    // The same rules for Windows paths. On every system, they treat '/' and '\' as the same and
    // ignore case.
    private readonly Lazy<FilterSet> rulesOfWindows;
    private readonly bool takesTheRest;

    // Compares paths as they are listed, in one form of Unicode alone.
    private readonly bool isExact;

    private EntryFilter(Definition definition, FilterSet rules, Func<FilterSet> ofWindows, bool isExact = false)
    {
        this.definition = definition;
        this.rules = rules;
        this.isExact = isExact;
        rulesOfWindows = new(ofWindows);
        takesTheRest = IsAll || definition.Rules.Any(rule => !rule.Include);
    }

    /// <summary>Selects every entry.</summary>
    public static EntryFilter All { get; } = Of(new Definition([], [], true, true));

    /// <summary>Whether every entry is selected, whatever its path.</summary>
    public bool IsAll => definition.Arguments.Count + definition.Rules.Count == 0;

    /// <summary>
    /// Whether patterns are compared with each path, because the filter has more than names and
    /// paths.
    /// </summary>
    public bool HasPatterns => rules.HasPatterns;

    /// <summary>
    /// The path arguments that look like patterns but are names of entries, so that only these
    /// entries are taken; see <see cref="Backup.SettleAsync"/>.
    /// </summary>
    public IReadOnlyList<string> TakenAsNames => [.. definition.Arguments.Where(definition.Names.Contains)];

    /// <summary>Whether entries that no rule matches are left out.</summary>
    internal bool HasOnlyIncludes => !IsAll && !takesTheRest;

    /// <summary>Whether folders above what is selected are read too, for their metadata.</summary>
    internal bool TakesFoldersAbove { get; private set; }

    /// <summary>Whether the comparison is case-sensitive.</summary>
    internal bool CaseSensitive => definition.CaseSensitive;

    /// <summary>
    /// The folder of the only path argument, with its separator; null in every other case. The
    /// folder keeps its name at the target.
    /// </summary>
    internal string? Folder =>
        definition.Arguments is [var only]
            ? isExact
                ? FolderOf(only)
                : PathArgument.FolderOf(only)
            : null;

    /// <summary>
    /// The path arguments that can be a pattern or a name, depending on the names in a version.
    /// </summary>
    internal IReadOnlyList<string> Ambiguous =>
        isExact
            ? []
            :
            [
                .. definition.Arguments.Where(argument =>
                    PathArgument.IsAmbiguous(argument) && !definition.Names.Contains(argument)
                ),
            ];

    /// <summary>
    /// Creates a filter. Path arguments come first, then the rules; the first match decides. An
    /// entry without a match is left out if there are only includes, and selected if there is an
    /// exclude. An alternate stream (<c>C:\file.txt:stream</c>) without a match follows its file.
    /// Both forms of a letter with an accent (one character or two) match each other.
    /// </summary>
    /// <param name="pathArguments">Names (<c>notes.txt</c>, in any folder), paths
    /// (<c>/home/ann</c>; a folder includes everything below it), or patterns. An argument that can
    /// be a pattern or the name of an entry is both until <see cref="Backup.SettleAsync"/> decides.
    /// </param>
    /// <param name="rules">Includes and excludes in the order of the command line.</param>
    /// <param name="caseSensitive">Whether names and paths are compared with regard to case. Null
    /// uses the convention of this system: no on Windows and macOS, yes elsewhere. Paths from a
    /// Windows backup are compared without regard to case on every system, and '/' is the same as
    /// '\'.</param>
    /// <param name="namesTakeContent">Whether the name of a folder without its path takes what is
    /// in it.</param>
    /// <exception cref="RestoreException">An expression cannot be used; the message names
    /// it.</exception>
    public static EntryFilter Parse(
        IEnumerable<string> pathArguments,
        IEnumerable<FilterRule> rules,
        bool? caseSensitive = null,
        bool namesTakeContent = true
    )
    {
        ArgumentNullException.ThrowIfNull(pathArguments);
        ArgumentNullException.ThrowIfNull(rules);
        bool ordinal = caseSensitive ?? !(OperatingSystem.IsWindows() || OperatingSystem.IsMacOS());
        Definition definition = new([.. pathArguments], [.. rules], ordinal, namesTakeContent);
        return definition.Arguments.Count + definition.Rules.Count == 0 ? All : Of(definition);
    }

    /// <summary>The same filter, for what makes the folders above the selected entries.</summary>
    internal EntryFilter WithFoldersAbove()
    {
        EntryFilter with = (EntryFilter)MemberwiseClone();
        with.TakesFoldersAbove = !IsAll;
        return with;
    }

    /// <summary>
    /// Creates the filter of a backup: as <see cref="Parse"/>, and the rules can be Duplicati's
    /// filter groups, such as <c>{TemporaryFiles}</c>, which mean what they mean on this system.
    /// </summary>
    /// <param name="rules">Includes and excludes in the order of the command line.</param>
    /// <exception cref="RestoreException">An expression cannot be used, or a group is not known;
    /// the message names it.</exception>
    public static EntryFilter ForBackup(IEnumerable<FilterRule> rules)
    {
        ArgumentNullException.ThrowIfNull(rules);
        FilterRule[] all = [.. rules];
        if (all.Length == 0)
        {
            return All;
        }

        EntryFilter filter = Parse([], FilterGroups.Expand(all, FilterGroupPlaces.OfThisMachine()));
        filter.Given = all;
        return filter;
    }

    /// <summary>
    /// The rules of the filter of a backup as they were given, with groups; null for another
    /// filter.
    /// </summary>
    internal IReadOnlyList<FilterRule>? Given { get; private set; }

    /// <summary>
    /// Whether a path argument is a pattern, if it is not the name or path of an entry.
    /// </summary>
    public static bool IsPattern(string pathArgument)
    {
        ArgumentNullException.ThrowIfNull(pathArgument);
        return PathArgument.IsPattern(pathArgument);
    }

    /// <summary>
    /// Takes entries by their paths as they are listed. A path with a separator at its end takes
    /// what is below it, too.
    /// </summary>
    /// <param name="paths">Original paths; at least one.</param>
    public static EntryFilter OfEntries(params IEnumerable<string> paths) => Exactly(paths, withContent: true);

    /// <summary>Takes entries by their exact paths alone.</summary>
    internal static EntryFilter Exactly(params IEnumerable<string> paths) => Exactly(paths, withContent: false);

    /// <summary>Takes what is in a folder, and the folder.</summary>
    internal static EntryFilter InFolder(string folder, bool caseSensitive) =>
        new(
            new Definition([folder], [], caseSensitive, true),
            FilterSet.OfPlain(
                [new PlainPath(ComposedText.Of(PathArgument.Tidy(folder, ofWindows: false)), PlainKind.Folder)],
                new(false, caseSensitive, true)
            ),
            () =>
                FilterSet.OfPlain(
                    [new PlainPath(ComposedText.Of(PathArgument.Tidy(folder, ofWindows: true)), PlainKind.Folder)],
                    new(true, false, true)
                )
        );

    /// <summary>
    /// The same filter, for which some of the ambiguous arguments are names of entries.
    /// </summary>
    internal EntryFilter WithNames(IEnumerable<string> names)
    {
        EntryFilter with = Of(definition with { Names = [.. definition.Names, .. names] });
        with.TakesFoldersAbove = TakesFoldersAbove;
        return with;
    }

    /// <summary>Takes what has one of the ambiguous arguments as its name or path.</summary>
    internal EntryFilter OfNames(params IReadOnlyList<string> arguments) =>
        Of(definition with { Arguments = arguments, Rules = [], Names = [.. arguments] });

    /// <summary>Whether an entry is taken.</summary>
    /// <param name="path">The original path of the entry. The path of a folder ends with a
    /// separator.</param>
    /// <exception cref="RestoreException">A regular expression exceeded its time limit.</exception>
    public bool Matches(ReadOnlySpan<char> path)
    {
        if (IsAll)
        {
            return true;
        }

        bool? decision = Decide(path);
        if (decision is null && StreamPath.HostLength(path) is int hostLength and > 0)
        {
            // Streams are rare, so a string for each is acceptable: the stream of a folder names
            // the folder without its separator.
            decision = Decide(path[..hostLength]) ?? Decide($"{path[..hostLength]}\\");
        }

        return decision ?? takesTheRest;
    }

    /// <summary>The selection, for messages.</summary>
    public string Describe() => definition.Describe();

    /// <inheritdoc cref="Describe()"/>
    public override string ToString() => Describe();

    /// <summary>Whether an entry is selected.</summary>
    /// <param name="utf8Path">Its original path.</param>
    /// <param name="scratch">Buffer for the path in UTF-16, reused from call to call, enlarged if
    /// necessary.</param>
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

    private static EntryFilter Of(Definition definition) =>
        new(definition, definition.Parse(ofWindows: false), () => definition.Parse(ofWindows: true));

    private static EntryFilter Exactly(IEnumerable<string> paths, bool withContent)
    {
        string[] all = [.. paths];
        return new EntryFilter(
            new Definition(all, [], true, withContent),
            FilterSet.OfPlain(all.Select(path => Plain(path, path.EndsWith('/'))), new(false, true, withContent)),
            () =>
                FilterSet.OfPlain(
                    all.Select(path => Plain(WindowsPath.Usual<char>(path).ToString(), FolderOf(path) is not null)),
                    new(true, true, withContent)
                ),
            isExact: true
        );

        PlainPath Plain(string path, bool isFolder) =>
            new(path, withContent && isFolder ? PlainKind.Folder : PlainKind.Path);
    }

    private static string? FolderOf(string path) => path is [.., '/' or '\\'] ? path : null;

    /// <summary>What the rules say about a path; null if none matches.</summary>
    internal bool? Decide(ReadOnlySpan<char> path)
    {
        bool isOfWindows = WindowsPath.Is(path);
        ReadOnlySpan<char> usual = isOfWindows ? WindowsPath.Usual(path) : path;
        bool isComposed = isExact || ComposedText.IsComposed(usual);
        ReadOnlySpan<char> other = isComposed ? usual : ComposedText.Compose(usual).AsSpan();
        other = isComposed && usual.Length == path.Length ? default : other;
        return (isOfWindows ? rulesOfWindows.Value : rules).Decide(path, other);
    }

    /// <summary>What a filter was made of.</summary>
    private sealed record Definition(
        IReadOnlyList<string> Arguments,
        IReadOnlyList<FilterRule> Rules,
        bool CaseSensitive,
        bool NamesTakeContent
    )
    {
        /// <summary>The path arguments that are names of entries, and no patterns.</summary>
        public HashSet<string> Names { get; init; } = [];

        public FilterSet Parse(bool ofWindows) =>
            FilterSet.Parse(
                Arguments,
                Names,
                Rules,
                new PathReading(ofWindows, CaseSensitive && !ofWindows, NamesTakeContent)
            );

        public string Describe()
        {
            string[] all =
            [
                .. Arguments.Select(argument => $"'{argument}'"),
                .. Rules.Select(rule => $"{(rule.Include ? "include" : "exclude")} '{rule.Expression}'"),
            ];
            string first = string.Join(", ", all.Take(ExpressionsDescribed));
            return all.Length > ExpressionsDescribed ? $"{first} and {all.Length - ExpressionsDescribed} more"
                : all.Length == 0 ? "everything"
                : first;
        }
    }
}
