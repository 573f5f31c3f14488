using Microsoft.Extensions.Logging;
using Restore.Cli.Options;
using Restore.Cli.Rendering;

namespace Restore.Cli.Commands;

/// <summary>What a command works with: the request, its own options, and the outputs.</summary>
internal sealed record CommandContext(HostRequest Request, CommandLine Line, Messages Messages, ILogger Logger, SecretScrubber Secrets)
{
    public CliEnvironment Environment => Line.Environment;

    public TextWriter Output => Environment.Output;

    /// <summary>Opens the backup and uses it; asks for the passphrase if one is needed and was not given.</summary>
    public Task<int> WithBackupAsync(Func<Backup, Task<int>> use) => WithOpenerAsync(async open =>
    {
        await using var backup = await open(Environment.StopToken);
        return await use(backup);
    });

    /// <summary>The same for a command that opens the backup several times, to see what is in the store then.</summary>
    public Task<int> WithOpenerAsync(Func<Func<CancellationToken, Task<Backup>>, Task<int>> use) =>
        PassphrasePrompt.RunAsync(Request.Backup.Passphrase, Environment.AskSecret, Messages, passphrase =>
        {
            Secrets.Add(passphrase);
            var options = Request.Backup with { Passphrase = passphrase, LoggerFactory = new OneLoggerFactory(Logger) };
            return use(cancellationToken => Backup.OpenAsync(Request.Storage, options, cancellationToken));
        });

    /// <summary>The requested version, else the newest.</summary>
    public BackupVersion ChooseVersion(Backup backup) => Request.Time is { } time ? backup.GetVersion(time) : backup.GetVersion(Request.Version ?? 0);

    public IProgressView OpenProgressView(bool verifyOnly) =>
        Request.Quiet ? new QuietProgressView()
        : Environment.CanDraw ? new TerminalProgressView(Messages, Environment, verifyOnly)
        : new PlainProgressView(Messages, Environment.Clock, verifyOnly);
}
