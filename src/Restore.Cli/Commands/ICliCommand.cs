using Microsoft.Extensions.Logging;

namespace Restore.Cli.Commands;

/// <summary>A command of the program: one file, and one line in <see cref="CommandList"/>. Parser, help, manual and shell completions follow
/// from its declarations.</summary>
internal interface ICliCommand
{
    string Name { get; }
    string Summary { get; }
    IReadOnlyList<Operand> Operands { get; }
    IReadOnlyList<OptionGroup> Options { get; }
    IReadOnlyList<string> Examples { get; }

    /// <summary>The names of Duplicati's commands that are this one.</summary>
    IReadOnlyList<string> DuplicatiNames => [];

    /// <summary>True if it ends with a report, which lists the warnings: they are not printed before.</summary>
    bool EndsWithReport => false;

    /// <summary>True if it only lists: it ends silently when the reader of its output goes away.</summary>
    bool EndsWithReader => false;

    /// <summary>True if it makes or changes something and has no dry run.</summary>
    bool HasNoDryRun => false;

    /// <summary>True if another process does the work, and writes the log.</summary>
    bool LeavesLog(CommandLine line) => false;

    /// <summary>True if the output is all that a run leaves behind, so that the run has failed if its output is lost.</summary>
    bool OnlyPrints(CommandLine line) => !EndsWithReport;

    /// <summary>Does what Duplicati's form of this command means beyond its name, before the command line is parsed.</summary>
    void Adapt(DuplicatiForm line)
    {
    }

    bool Takes(Option option) => Options.Any(group => group.Options.Contains(option));

    Task<int> RunAsync(CommandContext context);
}

internal sealed record Operand(string Form, string Meaning)
{
    public static readonly Operand Storage = new("<storage-url-or-folder>", "where the backup is: /mnt/backup, s3://bucket/folder, ssh://host/folder");

    /// <summary>What to back up; a job can say it too.</summary>
    public static readonly Operand Sources = new("<source ...>", "the folders and files to back up; with a job, those of the job if none is named");

    /// <summary>The backup that is written to, which may not exist yet.</summary>
    public static readonly Operand Destination = new("<storage-url-or-folder>", "where the backup is or is to be: /mnt/backup, s3://bucket/folder");

    public static readonly Operand Filters = new("[filter ...]", "what to take; without one, everything") { Title = "Filters", Details = FilterForms };

    public static readonly Operand PlanFile = new("<plan-file>", "a plan that 'restore plan' has saved, in a folder that all machines share");

    /// <summary>Where the backup is, if the plan does not say it in a way that works here.</summary>
    public static readonly Operand OtherPlace = new("[storage-url-or-folder]", "where the backup is; without it, where the plan found it");

    private const string FilterForms = """
        notes.txt              files of that name, wherever they are
        /home/ann/             a folder and all that is in it
        /home/ann/notes.txt    that file; if it is a folder, all that is in it too
        '*.jpg'                * is any run of characters, ? any one
        '[.*\.(jpg|png)']      a regular expression for the whole path
        '@/a/what?.txt'        exactly that path, without wildcards
        The first filter that matches an entry decides.
        What none matches is taken only if there is an --exclude.
        """;

    public static string PlanFileOf(HostRequest request) =>
        request.Operands.Count > 0 ? request.Operands[0] : throw new UsageException("The file of the plan is missing");

    /// <summary>Whether it is any number of arguments.</summary>
    public bool IsRepeated => Form.Contains("...", StringComparison.Ordinal);

    public Argument<string[]> ToArgument() => new(Form)
    {
        Description = Meaning,
        Arity = IsRepeated ? ArgumentArity.ZeroOrMore : ArgumentArity.ZeroOrOne,
        CustomParser = result => [.. result.Tokens.Select(token => token.Value)],
    };

    public string? Title { get; init; }
    public string Details { get; init; } = "";

    /// <summary>The possible words; empty if it is free text.</summary>
    public IReadOnlyList<string> Words { get; init; } = [];
}

/// <summary>What a command works with: the request, its own options, and the outputs.</summary>
internal sealed record CommandContext(HostRequest Request, CommandLine Line, Messages Messages, ILogger Logger, KnownSecrets Secrets)
{
    public CliEnvironment Environment => Line.Environment;

    public ReportSize ReportSize => Request.Verbose ? ReportSize.All : Environment.OutputIsTerminal ? ReportSize.Screen : ReportSize.Stream;

    public TextWriter Output => Environment.Output;

    /// <summary>Keeps the result for others, of a command that a scheduler starts; null for other commands.</summary>
    public RunOutcome? Outcome { get; init; }

    /// <summary>Opens the backup and uses it; asks for the passphrase if one is needed and was not given.</summary>
    public Task<int> WithBackupAsync(Func<Backup, Task<int>> use) => WithOpenerAsync(async open =>
    {
        await using var backup = await open(Environment.StopToken);
        return await use(backup);
    });

    /// <summary>The same for a command that opens the backup several times, to see what is in the store then.</summary>
    public Task<int> WithOpenerAsync(Func<Func<CancellationToken, Task<Backup>>, Task<int>> use)
    {
        var credentials = new CredentialsPrompt(this);
        return PassphrasePrompt.RunAsync(Request.Backup.Passphrase, Environment.AskSecret, Messages, passphrase =>
        {
            Secrets.Add(passphrase);
            var options = Request.Backup with { Passphrase = passphrase, DatabasePath = ExistingDatabase(), LoggerFactory = new OneLoggerFactory(Logger) };
            return use(cancellationToken => credentials.OpenAsync(options, with => OpenAsync(with, cancellationToken)));
        });
    }

    private async Task<Backup> OpenAsync(BackupOptions options, CancellationToken cancellationToken)
    {
        try
        {
            return await Backup.OpenAsync(Request.Storage, options, cancellationToken);
        }
        catch (RestoreException failure) when (failure.Code == RestoreErrorCode.BackupNotFound && BackupSearch.Below(Request.Storage) is { Count: > 0 } found)
        {
            var folders = string.Join(", ", found.Select(ShellText.Quoted));
            throw new CommandException(ExitCodes.Of(failure), failure.Message, $"Backups are in folders below it; give one of them: {folders}");
        }
    }

    /// <summary>No read needs the database: one that is gone is no reason to refuse a restore.</summary>
    private string? ExistingDatabase()
    {
        var path = Request.Backup.DatabasePath;
        if (string.IsNullOrEmpty(path) || File.Exists(path) || Directory.Exists(path))
        {
            return path;
        }

        Messages.WriteLine($"Warning: --dbpath: there is no database {path}; it is not needed, the volumes are read");
        return null;
    }

    public BackupVersion ChooseVersion(Backup backup) => Request.Time is { } time ? backup.GetVersion(time) : backup.GetVersion(Request.Version ?? 0);

    /// <summary>Makes sure that a question will be answered: nothing is asked with --yes, otherwise there must be a terminal.</summary>
    public void RequireAnswer(string what)
    {
        if (!Request.Yes && Environment.Ask is null)
        {
            throw new UsageException($"{what}, and nobody can be asked; give --yes");
        }
    }

    public bool Confirm(string question, IEnumerable<string>? plan = null)
    {
        foreach (var line in plan ?? [])
        {
            Messages.WriteLine(line);
        }

        var isConfirmed = Request.Yes || (Environment.Ask is { } ask && YesOrNo.Ask(question, isDefault: false, ask, Messages.WriteLine));
        if (!isConfirmed)
        {
            Messages.WriteLine("Nothing was changed");
        }

        return isConfirmed;
    }

    public void Write(Func<JsonObject> json, Action<TextWriter> text)
    {
        Outcome?.Keep(json, text);
        if (Request.Json)
        {
            Json.Write(Output, json());
        }
        else if (Outcome is null || !Request.Quiet || Request.DryRun)
        {
            text(Output);
        }
    }

    public async Task<T> ShowAsync<T>(Func<IProgressView, Task<T>> run, bool verifyOnly = true)
    {
        await using var view = OpenProgressView(verifyOnly);
        return await run(view);
    }

    public IProgressView OpenProgressView(bool verifyOnly) =>
        Request.Quiet ? new QuietProgressView()
        : Environment.CanDraw ? new TerminalProgressView(Messages, Environment, verifyOnly)
        : new PlainProgressView(Messages, Environment.Clock, verifyOnly);
}

/// <summary>A planned change of a backup: shown, confirmed, executed and reported. Not executed in a dry run, nor if there is nothing to do.</summary>
internal sealed record PlannedChange<TReport>
    where TReport : class
{
    public required bool IsNeeded { get; init; }

    public required string Summary { get; init; }

    public required string Question { get; init; }

    /// <summary>The plan, for a person.</summary>
    public required IEnumerable<string> Lines { get; init; }

    public required Func<Task<TReport>> ExecuteAsync { get; init; }

    public required Func<TReport?, JsonObject> JsonOf { get; init; }

    public required Action<TextWriter, TReport> Write { get; init; }

    public required Func<TReport?, IReadOnlyList<RestoreIssue>> IssuesOf { get; init; }

    public Action<TextWriter, IReadOnlyList<RestoreIssue>, ReportSize> WriteIssues { get; init; } = (output, issues, size) =>
        IssueText.Write(output, issues, size);

    /// <returns>The exit code.</returns>
    public async Task<int> RunAsync(CommandContext context)
    {
        TReport? report = null;
        var asks = !context.Request.Yes;
        if (!context.Request.DryRun && IsNeeded)
        {
            context.RequireAnswer(Summary);
            if (!context.Confirm(Question, asks ? Lines : []))
            {
                return ExitCodes.Interrupted;
            }

            report = await ExecuteAsync();
        }

        var issues = IssuesOf(report);
        context.Write(() => JsonOf(report), output =>
        {
            foreach (var line in report is not null && asks ? [] : Lines)
            {
                output.WriteLine(SafeText.Escape(line));
            }

            if (report is not null)
            {
                Write(output, report);
            }

            WriteIssues(output, issues, context.ReportSize);
        });
        return ExitCodes.OfLosses(issues);
    }
}
