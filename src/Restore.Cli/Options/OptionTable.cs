namespace Restore.Cli.Options;

/// <summary>The table that <see cref="DuplicatiForm"/> reads a command line with.</summary>
internal sealed class OptionTable
{
    private readonly Dictionary<string, Option> known = new(StringComparer.OrdinalIgnoreCase);

    public OptionTable(IEnumerable<ICliCommand> commands)
    {
        foreach (
            var option in commands.SelectMany(command => command.Options).SelectMany(group => group.Options).Distinct()
        )
        {
            foreach (var name in option.Names)
            {
                known.Add(name, option);
            }
        }
    }

    /// <summary>
    /// Whether a name, with its dashes, is the name of an option of this program.
    /// </summary>
    public bool IsOwn(string name) => known.ContainsKey(name);

    /// <summary>The switch that asks for help.</summary>
    public Option? Help => known.Values.FirstOrDefault(option => option.Action is Help.HelpAction);

    /// <summary>Takes a name with its dashes; null if it is unknown.</summary>
    public OptionForm? Find(string name)
    {
        var bare = name.TrimStart('-').ToLowerInvariant();
        return known.TryGetValue(name, out var option) ? new(bare, option.TakesValue) { Option = option }
            : ForeignOptions.IsStoreOption(bare) ? new(bare, !ForeignOptions.IsStoreFlag(bare)) { IsOfStore = true }
            : ForeignOptions.TakesValue(bare) is { } takesValue ? new(bare, takesValue)
            : null;
    }

    /// <summary>The name that an unknown one is probably meant to be.</summary>
    public string? Nearest(string name) =>
        Suggestion.Nearest(name, known.Keys.Concat(HostStores.Registry.Options.Select(option => "--" + option.Name)));
}
