using System.CommandLine;
using Restore.Cli.Options;

namespace Restore.Cli.Rendering;

/// <summary>How an option is written and described in help, manual and completions.</summary>
internal static class OptionText
{
    private static readonly string[] Pauses = ["; ", ": ", ". ", " ("];

    /// <summary>All names, the main one first.</summary>
    public static IEnumerable<string> Names(this Option option) => option.Aliases.Prepend(option.Name);

    public static bool TakesValue(this Option option) => option.ValueType != typeof(bool);

    public static string? DefaultText(this Option option) => (option as IDocumentedOption)?.DefaultText;

    public static string? Range(this Option option) => (option as IDocumentedOption)?.Range;

    /// <summary>The possible words of the value; empty if it is free text.</summary>
    public static string[] Words(this Option option) => option.HelpName is { } name && name.Contains('|', StringComparison.Ordinal) ? name.Split('|') : [];

    /// <summary>The description up to its first punctuation mark: short enough for a completion.</summary>
    public static string ShortDescription(this Option option)
    {
        var text = option.Description!;
        return text[..Pauses.Select(pause => text.IndexOf(pause, StringComparison.Ordinal)).Where(at => at > 0).DefaultIfEmpty(text.Length).Min()];
    }

    /// <summary>The options of a command in sections: consecutive groups with the same title form one section.</summary>
    public static IEnumerable<(string Title, List<Option> Options)> Sections(IEnumerable<OptionGroup> groups)
    {
        var sections = new List<(string Title, List<Option> Options)>();
        foreach (var group in groups)
        {
            if (sections.Count == 0 || sections[^1].Title != group.Title)
            {
                sections.Add((group.Title, []));
            }

            sections[^1].Options.AddRange(group.Options);
        }

        return sections;
    }
}
