namespace Restore.Cli.Rendering;

/// <summary>
/// The command lines that do what a job of Duplicati does: without secrets, for which there is a
/// place to fill in.
/// </summary>
/// <param name="commands">The commands of the program.</param>
/// <param name="environment">For the names of folders in sources and filters.</param>
internal sealed class JobCommandLines(IReadOnlyList<ICliCommand> commands, CliEnvironment environment)
{
    private static readonly string[] Writers = ["backup", "delete", "compact"];

    private static readonly string[] Retention = ["keep-versions", "keep-time", "retention-policy"];

    public IEnumerable<string> Of(DuplicatiJob job)
    {
        yield return $"# {job.Name}";
        var place = job.Location is { } location ? ShellText.Quoted(StorageLocation.Shown(location)) : "STORAGE";
        var sources = JobValues
            .SourcesOf(job, environment)
            .Select(source => ShellText.Quoted(StorageLocation.ShownSource(source)));
        var filters = JobValues
            .FiltersOf(job, environment)
            .Select(rule => ShellText.Quoted($"--{(rule.Include ? "include" : "exclude")}={rule.Expression}"));
        yield return Line("backup", [.. sources, place, .. OptionsOf("backup", job), .. filters], job);
        if (job.Options.Keys.Any(name => Retention.Contains(name, StringComparer.OrdinalIgnoreCase)))
        {
            yield return Line("delete", [place, .. OptionsOf("delete", job), "--yes"], job);
        }

        yield return Line("compact", [place, .. OptionsOf("compact", job), "--yes"], job);
        foreach (
            var (name, value) in job
                .Options.OrderBy(option => option.Key, StringComparer.Ordinal)
                .Where(option => IsNotTaken(option.Key))
        )
        {
            yield return $"# not taken: --{name}"
                + (
                    DuplicatiOptions.Refusal("backup", name.ToLowerInvariant(), value) is { } refusal
                        ? $" ({refusal})"
                        : ""
                );
        }
    }

    private static string Line(string command, IEnumerable<string> words, DuplicatiJob job) =>
        string.Join(
            ' ',
            new[] { "restore", command }
                .Concat(words)
                .Concat(job.Options.ContainsKey("passphrase") ? ["--passphrase-file=FILE"] : [])
        );

    private IEnumerable<string> OptionsOf(string command, DuplicatiJob job) =>
        job
            .Options.OrderBy(option => option.Key, StringComparer.Ordinal)
            .Where(option =>
                !ForeignOptions.IsSecret(option.Key)
                && (
                    Declared(command).Contains("--" + option.Key.ToLowerInvariant())
                    || ForeignOptions.IsFromJob(option.Key.ToLowerInvariant())
                    || option.Key.Equals("prefix", StringComparison.OrdinalIgnoreCase)
                )
            )
            .Select(option =>
                option is { Key: "encryption-module", Value.Length: 0 }
                    ? "--no-encryption"
                    : ShellText.Quoted(
                        $"--{option.Key.ToLowerInvariant()}{(option.Value.Length > 0 ? "=" + option.Value : "")}"
                    )
            );

    private bool IsNotTaken(string given) =>
        given.ToLowerInvariant() is var name
        && name is not ("passphrase" or "prefix")
        && !ForeignOptions.IsStoreOption(name)
        && !Writers.SelectMany(Declared).Contains("--" + name);

    private HashSet<string> Declared(string command) =>
        [
            .. commands
                .Where(named => named.Name == command)
                .SelectMany(named => named.Options)
                .Where(group => group.IsFromJob)
                .SelectMany(group => group.Options)
                .SelectMany(option => option.Names),
        ];
}
