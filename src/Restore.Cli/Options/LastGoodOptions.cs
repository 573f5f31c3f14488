namespace Restore.Cli.Options;

/// <summary>
/// Which versions count when good versions are looked for, and whether their files are taken.
/// </summary>
internal sealed class LastGoodOptions(SharedOptions shared)
{
    public Option<bool> IsAsked { get; } =
        Declare
            .Flag(
                "--last-good",
                "Take each file from the newest version in which it is not suspect, as 'restore assess' says; leave out what only suspect versions have"
            )
            .RefusedBy(command => NotHere("--last-good", command));

    public Option<DateTimeOffset?> Before { get; } =
        Declare
            .Time(
                "--as-of-before",
                shared.Clock,
                "With --last-good and assess: only versions made before this time count"
            )
            .Narrows();

    public Option<VersionNumbers?> Excluded { get; } =
        Declare
            .Versions("--exclude-version", "none", "With --last-good and assess: versions that do not count: 0,2-4")
            .Narrows();

    public Option<bool> WithSuspect { get; } =
        Declare
            .Flag(
                "--with-suspect",
                "With --last-good: restore files that only suspect versions have too, with .suspect at the end of their names"
            )
            .RefusedBy(command => NotHere("--with-suspect", command));

    public Option<bool> LooksInside { get; } =
        Declare.Flag(
            "--look-inside",
            "With --last-good and assess: read parts of some changed files too, to find encryption that the lists do not show"
        );

    /// <summary>Which versions count.</summary>
    public OptionGroup Choice => field ??= new("Selection", [LooksInside, Before, Excluded]);

    /// <summary>The same, for a restore.</summary>
    public OptionGroup Group =>
        field ??= new("Selection", [IsAsked, WithSuspect, LooksInside, Before, Excluded], Apply);

    /// <summary>The same, for what makes no files on a disk.</summary>
    public OptionGroup Reading => field ??= new("Selection", [IsAsked, LooksInside, Before, Excluded], Apply);

    /// <summary>
    /// Other files than the user wants would come from the newest version, which may be the suspect
    /// one.
    /// </summary>
    private static string NotHere(string name, ICliCommand command) =>
        $"{name} cannot be used: restore {command.Name} takes no file from the version before; restore, plan, export, ls and a mount do";

    private HostRequest Apply(HostRequest request, CommandLine line)
    {
        if (!line.Value(IsAsked))
        {
            return
                line.Value(Before) is null
                && line.Value(Excluded) is null
                && !line.Value(WithSuspect)
                && !line.Value(LooksInside)
                ? request
                : throw new UsageException(
                    "--as-of-before, --exclude-version, --look-inside and --with-suspect need --last-good"
                );
        }

        return request.Version is null && request.Time is null
            ? request with
            {
                Run = request.Run with { LastGood = OptionsOf(line), WithSuspect = line.Value(WithSuspect) },
            }
            : throw new UsageException("--last-good takes files from several versions; --version and --time name one");
    }

    // More than any backup has. A larger number would be a list of as many numbers in memory.
    private const int MaxVersionNumber = 999_999;

    public AssessOptions OptionsOf(CommandLine line) =>
        new()
        {
            Before = line.Value(Before),
            LooksInside = line.Value(LooksInside),
            ExcludedVersions = line.Value(Excluded)?.Expand(MaxVersionNumber) ?? [],
        };
}
