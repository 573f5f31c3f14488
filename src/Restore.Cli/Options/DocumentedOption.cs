using System.CommandLine;

namespace Restore.Cli.Options;

/// <summary>An option of the parser with its default and its range.</summary>
internal sealed class DocumentedOption<T>(string name, string[] aliases) : Option<T>(name, aliases), IDocumentedOption
{
    public string? DefaultText { get; init; }

    public string? Range { get; init; }
}
