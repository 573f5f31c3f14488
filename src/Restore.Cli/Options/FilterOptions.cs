namespace Restore.Cli.Options;

/// <summary>
/// The filters of a command line, in their order there: the first match decides.
/// </summary>
internal static class FilterOptions
{
    // Of a list that was put together from several files.
    private const char ByteOrderMark = '\ufeff';

    public static IReadOnlyList<Option> All() =>
        [
            Rules(
                "--include",
                "FILTER",
                "Take what matches; the first filter that matches an entry decides",
                (_, text) => [new(true, text)]
            ),
            Rules("--exclude", "FILTER", "Leave out what matches", (_, text) => [new(false, text)]),
            Rules(
                "--include-from",
                "FILE",
                "Take what a line of the file matches; empty lines and lines that start with # do not count",
                (name, file) => TakenLines(name, file).Select(line => new FilterRule(true, line))
            ),
            Rules(
                "--exclude-from",
                "FILE",
                "Leave out what a line of the file matches",
                (name, file) => Lines(name, file).Select(line => new FilterRule(false, line))
            ),
        ];

    public static OptionGroup Group(IReadOnlyList<Option> options) =>
        new(
            "Selection",
            options,
            (request, _) =>
                request with
                {
                    Restore = request.Restore with { Filter = FilterOf(request.Operands, request.Rules) },
                }
        );

    /// <summary>Selects paths and names, with all that is in them, and what rules take.</summary>
    public static EntryFilter FilterOf(IEnumerable<string> paths, IEnumerable<FilterRule> rules) =>
        EntryFilter.Parse(paths, rules);

    /// <summary>
    /// The versions in which an argument can be a name: the chosen one, and all if the last good
    /// content is taken.
    /// </summary>
    public static IReadOnlyList<BackupVersion> VersionsOfNames(
        CommandContext context,
        Backup backup,
        BackupVersion version
    ) => context.Request.Run.LastGood is null ? [version] : backup.Versions;

    /// <summary>
    /// What the arguments mean in a version: those that are patterns and names of entries are taken
    /// for the names, and a note says so.
    /// </summary>
    public static Task<EntryFilter> SettleAsync(
        CommandContext context,
        Backup backup,
        BackupVersion version,
        EntryFilter filter
    ) => SettleAsync(context, backup, [version], filter);

    /// <summary>
    /// The same for entries of several versions: a name that only an older version has is a name.
    /// </summary>
    public static async Task<EntryFilter> SettleAsync(
        CommandContext context,
        Backup backup,
        IEnumerable<BackupVersion> versions,
        EntryFilter filter
    )
    {
        var settled = await SettleAsync(backup, versions, filter, context.Environment.StopToken);
        foreach (var name in context.Request.Quiet ? [] : settled.TakenAsNames)
        {
            context.Messages.WriteLine(
                name.StartsWith('@')
                    ? $"Note: '{name}' is the name of an entry, and is taken for it"
                    : $"Note: '{name}' is the name of an entry, and no pattern here; --include={ShellText.Quoted(name)} takes what the pattern matches"
            );
        }

        return settled;
    }

    /// <summary>The same for all filters of a restore.</summary>
    public static async Task<RestoreOptions> SettleAsync(
        CommandContext context,
        Backup backup,
        IReadOnlyList<BackupVersion> versions,
        RestoreOptions restore
    )
    {
        List<EntryFilter> first = [];
        foreach (var filter in restore.First)
        {
            first.Add(await SettleAsync(backup, versions, filter, context.Environment.StopToken));
        }

        return restore with
        {
            Filter = await SettleAsync(context, backup, versions, restore.Filter),
            First = first,
        };
    }

    private static async Task<EntryFilter> SettleAsync(
        Backup backup,
        IEnumerable<BackupVersion> versions,
        EntryFilter filter,
        CancellationToken cancellationToken
    )
    {
        // A filter without an ambiguous argument reads nothing.
        foreach (var version in versions)
        {
            filter = await backup.SettleAsync(version, filter, cancellationToken);
        }

        return filter;
    }

    /// <summary>
    /// Whether it is a path that no entry can have, because it does not begin at a root.
    /// </summary>
    public static bool IsRelative(string path) =>
        !EntryFilter.IsPattern(path)
        && path.AsSpan().IndexOfAny('/', '\\') > 0
        && path is not (['@', ..] or [_, ':', '/' or '\\', ..]);

    private static RestoreOption<string> Rules(
        string name,
        string valueName,
        string description,
        Func<string, string, IEnumerable<FilterRule>> rules
    ) =>
        Declare
            .Texts(name, valueName, description)
            .Sets((request, text) => request with { Rules = [.. request.Rules, .. rules(name, text)] });

    /// <summary>
    /// The lines of a list of what to take. An empty list is refused: without a rule everything
    /// would be selected, and a script does not mean that when its search finds nothing.
    /// </summary>
    private static IEnumerable<string> TakenLines(string option, string file) =>
        Lines(option, file) is [_, ..] lines
            ? lines
            : throw new UsageException(
                $"{option}: {file} selects nothing: it has no line that is neither empty nor a comment"
            );

    private static string[] Lines(string option, string file) =>
        [
            .. NamedFile
                .Lines(option, file)
                .Select(line => line.TrimStart(ByteOrderMark))
                .Where(line => !string.IsNullOrWhiteSpace(line) && !line.StartsWith('#')),
        ];
}
