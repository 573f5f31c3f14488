using Microsoft.Extensions.Logging;

namespace Restore.Cli.Commands;

/// <summary>What a command works with: the request, its own options, and the outputs.</summary>
internal sealed record CommandContext(
    HostRequest Request,
    CommandLine Line,
    Messages Messages,
    ILogger Logger,
    KnownSecrets Secrets
)
{
    public CliEnvironment Environment => Line.Environment;

    public ReportSize ReportSize =>
        Request.Verbose ? ReportSize.All
        : Environment.OutputIsTerminal ? ReportSize.Screen
        : ReportSize.Stream;

    public TextWriter Output => Environment.Output;

    /// <summary>
    /// Keeps the result of a command that a scheduler starts; null for other commands.
    /// </summary>
    public RunOutcome? Outcome { get; init; }

    /// <summary>
    /// Opens the backup and uses it; asks for the passphrase if one is needed and was not given.
    /// </summary>
    public Task<int> WithBackupAsync(Func<Backup, Task<int>> use) =>
        WithOpenerAsync(async open =>
        {
            await using var backup = await open(Environment.StopToken);
            return await use(backup);
        });

    /// <summary>
    /// The same for a command that opens the backup several times, to see what is in the store
    /// then.
    /// </summary>
    public Task<int> WithOpenerAsync(Func<Func<CancellationToken, Task<Backup>>, Task<int>> use)
    {
        var credentials = new CredentialsPrompt(this);

        // A wrong passphrase shows only when the first volume is decrypted, so the prompt runs the
        // whole command again with the next one. A command must decrypt something before it changes
        // anything.
        return PassphrasePrompt.RunAsync(
            Request.Backup.Passphrase,
            Environment.AskSecret,
            Messages,
            passphrase =>
            {
                Secrets.Add(passphrase);
                var options = Request.Backup with
                {
                    Passphrase = passphrase,
                    DatabasePath = ExistingDatabase(),
                    LoggerFactory = new OneLoggerFactory(Logger),
                };
                return use(cancellationToken =>
                    credentials.OpenAsync(options, with => OpenAsync(with, cancellationToken))
                );
            }
        );
    }

    private async Task<Backup> OpenAsync(BackupOptions options, CancellationToken cancellationToken)
    {
        try
        {
            return await Backup.OpenAsync(Request.Storage, options, cancellationToken);
        }
        catch (RestoreException failure)
            when (failure.Code == RestoreErrorCode.BackupNotFound
                && BackupSearch.Below(Request.Storage) is { Count: > 0 } found
            )
        {
            var folders = string.Join(", ", found.Select(ShellText.Quoted));
            throw new CommandException(
                ExitCodes.Of(failure),
                failure.Message,
                $"Backups are in folders below it; give one of them: {folders}"
            );
        }
    }

    /// <summary>
    /// No read needs the database, so a missing one is no reason to refuse a restore.
    /// </summary>
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

    public BackupVersion ChooseVersion(Backup backup)
    {
        var given = Line.Given.LastOrDefault(given => given.Option.Name == SharedOptions.TimeOption).Text;
        if (
            given is not null
            && !Request.Quiet
            && WholeDay.NoteOf(given, backup.Versions, Environment.Clock) is { } note
        )
        {
            Messages.WriteLine(note);
        }

        return Request.Time is { } time ? backup.GetVersion(time) : backup.GetVersion(Request.Version ?? 0);
    }

    /// <summary>
    /// Makes sure that a question will be answered: nothing is asked with --yes, otherwise there
    /// must be a terminal.
    /// </summary>
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

        var isConfirmed =
            Request.Yes
            || (Environment.Ask is { } ask && YesOrNo.Ask(question, isDefault: false, ask, Messages.WriteLine));
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
            // A command that keeps its outcome can have several results. They are written at its
            // end, as one object.
            if (Outcome is null)
            {
                Json.Write(Output, json());
            }
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
