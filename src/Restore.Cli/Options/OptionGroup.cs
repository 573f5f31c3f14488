namespace Restore.Cli.Options;

/// <summary>Options under one title of the help.</summary>
/// <param name="title">The title; consecutive groups with the same one are one section.</param>
/// <param name="options">The options. What they set in a request is set in the order of the command
/// line.</param>
/// <param name="apply">What they mean together, after that.</param>
internal sealed class OptionGroup(
    string title,
    IReadOnlyList<Option> options,
    Func<HostRequest, CommandLine, HostRequest>? apply = null
)
{
    public string Title => title;

    public IReadOnlyList<Option> Options => options;

    /// <summary>
    /// Whether most commands take these options, so that the help of a command only names the page
    /// that describes them.
    /// </summary>
    public bool IsGeneral { get; init; }

    /// <summary>
    /// Whether a job of Duplicati can give these options, as far as the command line does not.
    /// </summary>
    public bool IsFromJob { get; init; }

    /// <summary>How a job of Duplicati is found, if these options can name one.</summary>
    public JobOptions? Job { get; init; }

    public HostRequest Apply(HostRequest request, CommandLine line) => apply?.Invoke(request, line) ?? request;

    /// <summary>The sections of the help.</summary>
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
