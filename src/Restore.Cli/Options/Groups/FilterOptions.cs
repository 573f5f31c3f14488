using System.CommandLine;
using System.CommandLine.Parsing;

namespace Restore.Cli.Options.Groups;

/// <summary>Which entries to select, besides the filters after the storage.</summary>
internal sealed class FilterOptions : OptionGroup
{
    private readonly Option<string[]> include =
        Declare.Texts("--include", "FILTER", "Take what matches; the first filter that matches an entry decides");

    private readonly Option<string[]> exclude = Declare.Texts("--exclude", "FILTER", "Leave out what matches");

    public override string Title => "Selection";

    public override IReadOnlyList<Option> Options => [include, exclude];

    public override HostRequest Apply(HostRequest request, CommandLine line)
    {
        var rules = Rules(line.Parsed);
        return request with { Rules = rules, Restore = request.Restore with { Filter = EntryFilter.Parse(request.Operands, rules) } };
    }

    /// <summary>The parser keeps each option's values apart; only the tokens have their common order, which matters.</summary>
    private List<FilterRule> Rules(ParseResult parsed)
    {
        var rules = new List<FilterRule>();
        Option? last = null;
        foreach (var token in parsed.Tokens)
        {
            if (token.Type == TokenType.Option)
            {
                last = token.Value == include.Name ? include : token.Value == exclude.Name ? exclude : null;
            }
            else if (token.Type == TokenType.Argument && last is not null)
            {
                rules.Add(new FilterRule(last == include, token.Value));
            }
            else
            {
                last = null;
            }
        }

        return rules;
    }
}
