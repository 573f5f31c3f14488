namespace Restore.Cli.Commands;

internal sealed class VerifyCommand(SharedOptions shared) : ICliCommand
{
    private readonly Option<DateTimeOffset?> since = Declare
        .Time("--since", shared.Clock, "The versions made at or after this time, in one run; as --time")
        .Narrows();

    private readonly Option<double?> sample = Declare
        .Percent(
            "--sample",
            "100%",
            "Only files chosen at random, up to this share of all bytes; the report says what was covered"
        )
        .Narrows();

    private readonly Option<int?> seed = Declare.Count(
        "--seed",
        0,
        int.MaxValue,
        "another one each time",
        "Seed of the choice; the same seed chooses the same files of the same versions"
    );

    private readonly Option<string?> history = Declare
        .Text(
            DrillHistory.Option,
            "FILE",
            null,
            "Add this drill to a page that draws the time, bytes and losses of all of them, also if it fails"
        )
        .SetsRun((run, file) => run with { HistoryFile = file });

    public string Name => "verify";

    public bool RunsLong => true;

    public IReadOnlyList<string> DuplicatiNames => ["test"];

    public string Summary => "a drill: everything a restore does but writing";

    public IReadOnlyList<Operand> Operands =>
        [Operand.Storage, Operand.Filters with { Meaning = "what to verify; without one, everything" }];

    public IReadOnlyList<OptionGroup> Options =>
        [
            shared.Version,
            shared.Filters,
            shared.Metadata,
            new("Drill", [shared.AllVersions, since, sample, seed, shared.Metrics, history]),
            shared.Salvage,
            shared.DryRun,
            shared.Access,
            shared.Tuning,
            shared.Output,
            shared.Report,
            shared.Program,
        ];

    public IReadOnlyList<string> Examples =>
        [
            "restore verify /mnt/backup",
            "restore verify /mnt/backup --passphrase-file=/root/secret --quiet",
            "restore verify /mnt/backup --all-versions --sample=5% --report=/tmp/a.html",
            "restore verify /mnt/backup --history=/home/ann/drills.html --quiet",
        ];

    public bool EndsWithReport => true;

    /// <summary>
    /// Duplicati's <c>test</c> reads so many volumes, or all: then all versions are verified, if no
    /// option names some.
    /// </summary>
    public void Adapt(DuplicatiForm line)
    {
        if (
            line.Word != "test"
            || line.Operands is not [_, var samples, ..]
            || !(samples == "all" || samples.All(char.IsAsciiDigit))
        )
        {
            return;
        }

        line.Operands.RemoveAt(1);
        Option[] naming = [shared.VersionNumber, shared.VersionTime, since];
        if (samples != "all")
        {
            line.WithoutEffect.Add(
                $"{samples} (the version is verified as a whole; --sample=5% verifies a share, 'all' all versions)"
            );
        }
        else if (!line.Options.Any(given => naming.Contains(given.Option)))
        {
            line.Options.Add((shared.AllVersions, "true"));
        }
    }

    public Task<int> RunAsync(CommandContext context)
    {
        var request = context.Request;
        return RestoreOperation.RunAsync(
            context with
            {
                Request = request with { Restore = request.Restore with { VerifyOnly = true } },
            },
            DrillOf(request, context.Line)
        );
    }

    private DrillRequest DrillOf(HostRequest request, CommandLine line)
    {
        var (all, moment) = (line.Value(shared.AllVersions), line.Value(since));
        if ((all || moment is not null) && (request.Version is not null || request.Time is not null))
        {
            throw new UsageException(
                "--all-versions and --since name several versions, --version and --time one of them; give either"
            );
        }

        if (all && moment is not null)
        {
            throw new UsageException("--all-versions and --since both name versions; give one of them");
        }

        if (line.Value(sample) is not { } share)
        {
            return line.Value(seed) is null
                ? new(all, moment, null)
                : throw new UsageException("--seed is the seed of --sample, which is missing");
        }

        return new(
            all,
            moment,
            new DrillSample(
                share,
                line.Value(seed) ?? (int)(shared.Clock.GetUtcNow().ToUnixTimeSeconds() & int.MaxValue)
            )
        );
    }
}
