using System.Buffers;
using System.CommandLine.Parsing;
using System.CommandLine;

namespace Restore.Cli.Options;

internal sealed class FilterOptions : OptionGroup
{
    private static readonly SearchValues<char> NotPlain = SearchValues.Create("*?[]{}@");

    private readonly Option<string[]> include =
        Declare.Texts("--include", "FILTER", "Take what matches; the first filter that matches an entry decides");

    private readonly Option<string[]> exclude = Declare.Texts("--exclude", "FILTER", "Leave out what matches");

    private readonly Option<string[]> includeFrom = Declare.Texts(
        "--include-from", "FILE", "Take what a line of the file matches; empty lines and lines that start with # do not count");

    private readonly Option<string[]> excludeFrom = Declare.Texts("--exclude-from", "FILE", "Leave out what a line of the file matches");

    public override string Title => "Selection";

    public override IReadOnlyList<Option> Options => [include, exclude, includeFrom, excludeFrom];

    public override HostRequest Apply(HostRequest request, CommandLine line)
    {
        var rules = Rules(line.Parsed);
        return request with { Rules = rules, Restore = request.Restore with { Filter = EntryFilter.Parse(request.Operands.SelectMany(WithContent), rules) } };
    }

    /// <summary>A path with or without a separator at its end takes what is in the folder. Patterns are Duplicati's, and mean what they say.</summary>
    public static IEnumerable<string> WithContent(string path)
    {
        yield return path;
        var separator = path.Contains('/', StringComparison.Ordinal) ? '/' : '\\';
        if (path.Contains(separator, StringComparison.Ordinal) && !path.EndsWith(separator) && path.AsSpan().IndexOfAny(NotPlain) < 0)
        {
            yield return path + separator;
        }
    }

    /// <summary>What has a name, in any folder. A pattern without a separator is one for a name too.</summary>
    public static IEnumerable<string> OfName(string name) =>
        name.Length > 0 && name[0] is not ('*' or '[' or '{' or '@') && name.AsSpan().IndexOfAny('/', '\\') < 0 && name.AsSpan().IndexOfAny('*', '?') >= 0
            ? ["*/" + name, "*\\" + name]
            : [name];

    /// <summary>The parser keeps each option's values apart; only the tokens have their common order, which matters.</summary>
    public List<FilterRule> Rules(ParseResult parsed)
    {
        var rules = new List<FilterRule>();
        Option? last = null;
        foreach (var token in parsed.Tokens)
        {
            if (token.Type == TokenType.Option)
            {
                last = Options.FirstOrDefault(option => option.Name == token.Value);
            }
            else if (token.Type == TokenType.Argument && last is not null)
            {
                var expressions = last == include || last == exclude ? [token.Value] : Lines(last.Name, token.Value);
                rules.AddRange(expressions.Select(expression => new FilterRule(last == include || last == includeFrom, expression)));
            }
            else
            {
                last = null;
            }
        }

        return rules;
    }

    private static string[] Lines(string option, string file)
    {
        try
        {
            return [.. File.ReadLines(file).Where(line => line.Length > 0 && !line.StartsWith('#'))];
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException or ArgumentException)
        {
            throw new UsageException($"{option}: {file} cannot be read ({failure.Message})");
        }
    }
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
