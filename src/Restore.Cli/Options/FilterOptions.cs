using System.Buffers;

namespace Restore.Cli.Options;

/// <summary>What is selected by filters. Their order, which matters, is that of the command line.</summary>
internal static class FilterOptions
{
    private static readonly SearchValues<char> NotPlain = SearchValues.Create("*?[]{}@");

    public static IReadOnlyList<Option> All() =>
    [
        Rules("--include", "FILTER", "Take what matches; the first filter that matches an entry decides", (_, text) => [new(true, text)]),
        Rules("--exclude", "FILTER", "Leave out what matches", (_, text) => [new(false, text)]),
        Rules("--include-from", "FILE", "Take what a line of the file matches; empty lines and lines that start with # do not count",
            (name, file) => Lines(name, file).Select(line => new FilterRule(true, line))),
        Rules("--exclude-from", "FILE", "Leave out what a line of the file matches",
            (name, file) => Lines(name, file).Select(line => new FilterRule(false, line))),
    ];

    public static OptionGroup Group(IReadOnlyList<Option> options) => new("Selection", options, (request, _) => request with
    {
        Restore = request.Restore with { Filter = FilterOf(request.Operands, request.Rules) },
    });

    /// <summary>Selects paths and names, with all that is in them, and what rules take.</summary>
    public static EntryFilter FilterOf(IEnumerable<string> paths, IEnumerable<FilterRule> rules) =>
        EntryFilter.Parse(paths.SelectMany(path => OfNameOrFolder(path, withContent: true)).SelectMany(Taken), rules);

    /// <summary>A glob with a separator at its end takes what is in such folders too: as the command line of Duplicati, it gets a *.</summary>
    private static IEnumerable<string> Taken(string path) =>
        path.Length > 0 && path[^1] is '/' or '\\' && path[0] is not ('[' or '{' or '@') && path.AsSpan().IndexOfAny('*', '?') >= 0
            ? [path + "*"] : WithContent(path);

    /// <summary>A path with or without a separator at its end takes what is in the folder. Patterns are Duplicati's, and mean what they say.</summary>
    public static IEnumerable<string> WithContent(string path)
    {
        yield return path;
        var separator = path.Contains('/', StringComparison.Ordinal) ? '/' : '\\';
        if (path.Contains(separator, StringComparison.Ordinal) && !path.EndsWith(separator) && IsPlain(path))
        {
            yield return path + separator;
        }
    }

    /// <summary>Whether it is a path that no entry can have, because it does not begin at a root.</summary>
    public static bool IsRelative(string path) =>
        IsPlain(path) && path.AsSpan().IndexOfAny('/', '\\') > 0 && !(path.Length > 2 && path[1] == ':' && path[2] is '/' or '\\');

    /// <summary>Whether it is a path or a name, not a pattern.</summary>
    public static bool IsPlain(string path) => path.AsSpan().IndexOfAny(NotPlain) < 0;

    /// <summary>What has a name, in any folder. A pattern without a separator is one for a name too.</summary>
    public static IEnumerable<string> OfName(string name) =>
        name.Length > 0 && name[0] is not ('*' or '[' or '{' or '@') && name.AsSpan().IndexOfAny('/', '\\') < 0 && name.AsSpan().IndexOfAny('*', '?') >= 0
            ? ["*/" + name, "*\\" + name]
            : [name];

    /// <summary>The same, and the folders of that name; with all that is in them, if asked for.</summary>
    public static IEnumerable<string> OfNameOrFolder(string name, bool withContent)
    {
        var bare = name.TrimEnd('/', '\\');
        if (bare.Length == 0 || !IsPlain(name) || bare.AsSpan().IndexOfAny('/', '\\') >= 0)
        {
            return OfName(name);
        }

        string[] folders = [$"*/{bare}/", $"*\\{bare}\\"];
        return [name, .. folders, .. withContent ? folders.Select(folder => folder + "*") : []];
    }

    private static RestoreOption<string> Rules(string name, string valueName, string description, Func<string, string, IEnumerable<FilterRule>> rules) =>
        Declare.Texts(name, valueName, description).Sets((request, text) => request with { Rules = [.. request.Rules, .. rules(name, text)] });

    private static IEnumerable<string> Lines(string option, string file) =>
        NamedFile.Lines(option, file).Where(line => line.Length > 0 && !line.StartsWith('#'));
}

/// <summary>Says what filters take that look as if they took less: an exclude selects everything that no filter matches.</summary>
internal static class FilterNote
{
    private static readonly string[] Everything = ["*", "[.*]", "**"];

    /// <summary>Null if the filters are as plain as they look, or the operands are not filters.</summary>
    public static string? Of(HostRequest request)
    {
        var takes = request.Operands.Concat(request.Rules.Where(rule => rule.Include).Select(rule => rule.Expression)).ToList();
        var leavesOut = request.Rules.Where(rule => !rule.Include).Select(rule => rule.Expression).ToList();
        return request.Storage.Length == 0 || takes.Count == 0 || leavesOut.Count == 0 || takes.Concat(leavesOut).Any(Everything.Contains)
            ? null
            : $"Taken: everything but '{string.Join("', '", leavesOut.Take(3))}'{(leavesOut.Count > 3 ? " and more" : "")}, because there is an --exclude; "
                + $"--exclude='*' as the last filter takes only '{string.Join("', '", takes.Take(3))}'{(takes.Count > 3 ? " and more" : "")}";
    }
}
