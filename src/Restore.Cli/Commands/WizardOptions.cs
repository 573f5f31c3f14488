namespace Restore.Cli.Commands;

/// <summary>
/// The options that stood alone on the command line: they answer questions of the guide, and hold
/// for its command lines.
/// </summary>
internal sealed class WizardOptions
{
    public static readonly WizardOptions None = new();

    /// <summary>All options that were given.</summary>
    public IReadOnlyList<string> All { get; private init; } = [];

    /// <summary>The options that open the backup, which every command takes.</summary>
    public IReadOnlyList<string> Access { get; private init; } = [];

    /// <summary>The options that name the version.</summary>
    public IReadOnlyList<string> Versions { get; private init; } = [];

    public string? Target { get; private init; }

    public bool HasTarget => Target is not null;

    public bool HasVersion => Versions.Count > 0;

    public bool HasFilters { get; private init; }

    public bool HasOverwrite { get; private init; }

    /// <returns>Null if the command line has more than options. With options alone, the guide asks
    /// for everything else.</returns>
    public static WizardOptions? Of(CommandLine line, ICliCommand restore, SharedOptions shared)
    {
        bool IsIn(OptionGroup group, Option option) => group.Options.Any(one => one.Name == option.Name);
        bool IsOn(string name) => line.Given.Any(given => given.Option.Name == name && given.Text == "true");
        if (
            line.Command != restore
            || line.Operands.Count > 0
            || line.Environment.Variable(StorageLocation.Variable) is { Length: > 0 }
            || line.Given.Any(given => given.Option.Details.NamesBackup)
            || IsOn(shared.Yes.Name)
            || IsOn("--json")
        )
        {
            return null;
        }

        string[] ofStore = [.. line.StoreOptions.Select(option => $"--{option.Key}={option.Value}")];
        return new WizardOptions
        {
            All = [.. line.Given.Select(Text), .. ofStore],
            Access = [.. line.Given.Where(given => IsIn(shared.Access, given.Option)).Select(Text), .. ofStore],
            Versions =
            [
                .. line
                    .Given.Where(given =>
                        IsIn(shared.Version, given.Option) || IsIn(shared.LastGood.Reading, given.Option)
                    )
                    .Select(Text),
            ],
            Target = line.Given.LastOrDefault(given => given.Option.Details.NamesTarget).Text,
            HasFilters = line.Given.Any(given => IsIn(shared.Filters, given.Option)),
            HasOverwrite = line.Given.Any(given => given.Option.Name == shared.Overwrites.Name),
        };
    }

    private static string Text((Option Option, string Text) given) => $"{given.Option.Name}={given.Text}";
}
