namespace Restore.Cli.Options;

/// <summary>An option of the command line: how help, manual and completions show it, how its value is read, and what it changes in the request.
/// <see cref="Declare"/> has the kinds.</summary>
internal abstract class Option(string name, string description, IReadOnlyList<string> aliases)
{
    private static readonly string[] Pauses = ["; ", ": ", ". ", " ("];

    public string Name => name;

    public string Description => description;

    public IEnumerable<string> Names => aliases.Prepend(name);

    /// <summary>What stands for the value in the help; null for a switch, which needs no value.</summary>
    public string? ValueName { get; init; }

    public string? DefaultText { get; init; }

    public string? Range { get; init; }

    /// <summary>True if each use counts, not only the last one.</summary>
    public bool IsRepeatable { get; init; }

    /// <summary>Words that a switch takes beside true and false: --name=word.</summary>
    public IReadOnlyList<string> OtherWords { get; init; } = [];

    public bool TakesValue => ValueName is not null;

    public bool NamesFile => ValueName is "FILE" or "FOLDER";

    /// <summary>The possible values, if they are words.</summary>
    public string[] Words => ValueName is not null && ValueName.Contains('|', StringComparison.Ordinal) ? ValueName.Split('|') : [];

    /// <summary>The description up to its first punctuation mark: short enough for a completion.</summary>
    public string ShortDescription =>
        description[..Pauses.Select(pause => description.IndexOf(pause, StringComparison.Ordinal)).Where(at => at > 0).Append(description.Length).Min()];

    public abstract (object? Value, string? Error) Parse(string text);

    /// <summary>The request with the value in its place; unchanged for an option that its command reads itself.</summary>
    public abstract HostRequest Apply(HostRequest request, object? value);
}

internal sealed class Option<T>(string name, string description, IReadOnlyList<string> aliases, Func<string, (T Value, string? Error)> parse)
    : Option(name, description, aliases)
{
    private Func<HostRequest, T, HostRequest>? apply;

    public override (object? Value, string? Error) Parse(string text) => parse(text);

    public override HostRequest Apply(HostRequest request, object? value) => apply?.Invoke(request, (T)value!) ?? request;

    public Option<T> Sets(Func<HostRequest, T, HostRequest> set)
    {
        apply = set;
        return this;
    }

    public Option<T> SetsBackup(Func<BackupOptions, T, BackupOptions> set) => Sets((request, value) => request with { Backup = set(request.Backup, value) });

    public Option<T> SetsRestore(Func<RestoreOptions, T, RestoreOptions> set) =>
        Sets((request, value) => request with { Restore = set(request.Restore, value) });

    public Option<T> SetsExecution(Func<ExecuteOptions, T, ExecuteOptions> set) =>
        Sets((request, value) => request with { Execution = set(request.Execution, value) });

    public Option<T> SetsTuning(Func<RestoreTuning, T, RestoreTuning> set) =>
        SetsExecution((execution, value) => execution with { Tuning = set(execution.Tuning, value) });

    public Option<T> SetsWriter(Func<BackupWriterOptions, T, BackupWriterOptions> set) =>
        Sets((request, value) => request with { Writer = set(request.Writer, value) });

    public Option<T> SetsRun(Func<RunRequest, T, RunRequest> set) => Sets((request, value) => request with { Run = set(request.Run, value) });
}

/// <summary>Options under one title of the help.</summary>
/// <param name="title">The title; consecutive groups with the same one are one section.</param>
/// <param name="options">The options. What they set in a request is set in the order of the command line.</param>
/// <param name="apply">What they mean together, after that.</param>
internal sealed class OptionGroup(string title, IReadOnlyList<Option> options, Func<HostRequest, CommandLine, HostRequest>? apply = null)
{
    public string Title => title;

    public IReadOnlyList<Option> Options => options;

    /// <summary>Whether most commands take these options, so that the help of a command only names the page that describes them.</summary>
    public bool IsGeneral { get; init; }

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
