using System.Net.Sockets;
using Restore.Web;

namespace Restore.Cli.Commands;

internal sealed class BrowseCommand(SharedOptions shared) : ICliCommand
{
    private const int HighestPort = 65535;

    private readonly Option<int?> port = Declare.Count(
        "--port",
        1,
        HighestPort,
        "a free one",
        "Port on this machine; other machines cannot reach it"
    );

    private readonly Option<bool> open = Declare.Flag("--open", "Open the page in the browser of this machine");

    private readonly Option<bool> originalPlaces = Declare.Flag(
        "--allow-original-places",
        "Let the page restore entries to the places that they had; it asks before it does"
    );

    public string Name => "browse";

    public string Summary => "look into the backup and restore from it with a browser, or by WebDAV";

    public IReadOnlyList<Operand> Operands => [Operand.Storage];

    public IReadOnlyList<OptionGroup> Options =>
        [
            new("Page", [open, port, originalPlaces, shared.EgressPrice]),
            shared.TargetFolder,
            shared.Access,
            shared.Output,
            shared.Program,
        ];

    public IReadOnlyList<string> Examples =>
        ["restore browse /mnt/backup --open", "restore browse /mnt/backup --restore-path=/mnt/new-disk"];

    public bool HasNoDryRun => true;

    public Task<int> RunAsync(CommandContext context) => context.WithBackupAsync(backup => ServeAsync(context, backup));

    private async Task<int> ServeAsync(CommandContext context, Backup backup)
    {
        TargetPlace.Check(context.Request, backup.Location);
        var options = new BrowseOptions
        {
            Port = context.Line.Value(port) ?? 0,
            RestoreFolder = context.Request.Restore.Target is { } folder ? Path.GetFullPath(folder) : null,
            AllowOriginalPlaces = context.Line.Value(originalPlaces),
            RefuseTarget = target => TargetPlace.Refusal(target, backup.Location),
            FreeBytesAt = TargetPlace.FreeBytesAt,
            ShowFolder = SystemFolderWindow.IsThere(context.Environment)
                ? folder => SystemFolderWindow.ShowAsync(folder, context.Environment)
                : null,
            ReportPage = (page, reports) => ReportHtml.Write(page, reports, context.Environment.Clock),
            PricePerGigabyte = context.Line.Value(shared.EgressPrice),
            HasFreeReads = Directory.Exists(backup.Location) && context.Line.Value(shared.EgressPrice) is null,
            TimeProvider = context.Environment.Clock,
            LoggerFactory = new OneLoggerFactory(new DebugLogger(context.Logger)),
        };
        await RequirePassphraseAsync(backup, context.Environment.StopToken);
        await using var running = await StartAsync(backup, options, context.Environment.StopToken);
        await PrintAsync(context, running);
        if (
            context.Line.Value(open)
            && await SystemBrowser.OpenAsync(running.MakeOpenAddress(), context.Environment) is { } problem
        )
        {
            context.Messages.WriteLine($"--open: {problem}; open the address of the page yourself");
        }

        // Ctrl-C is the usual end of this command, so the cancellation is not an error.
        await Task.Delay(Timeout.Infinite, context.Environment.StopToken)
            .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        return ExitCodes.Complete;
    }

    /// <summary>
    /// Starts to read the newest list, so that a wrong passphrase is noticed while the user can
    /// still answer. The page reports other failures.
    /// </summary>
    private static async Task RequirePassphraseAsync(Backup backup, CancellationToken stop)
    {
        try
        {
            await using var entries = backup.ListAsync(backup.Versions[0], null, stop).GetAsyncEnumerator(stop);
            await entries.MoveNextAsync();
        }
        catch (RestoreException failure) when (failure.Kind != RestoreErrorKind.WrongPassphrase)
        {
            // The version cannot be read; others may.
        }
    }

    private static async Task PrintAsync(CommandContext context, BrowseServer running)
    {
        context.Write(
            () => new() { ["page"] = running.Address.ToString(), ["webDav"] = running.WebDavAddress.ToString() },
            output =>
            {
                output.WriteLine($"Page    {running.Address}");
                output.WriteLine($"WebDAV  {running.WebDavAddress}");
            }
        );
        await context.Output.FlushAsync(CancellationToken.None);
        if (!context.Request.Quiet)
        {
            context.Messages.WriteLine("Anyone who knows an address can read the backup; Ctrl-C ends the server");
        }
    }

    private static async Task<BrowseServer> StartAsync(Backup backup, BrowseOptions options, CancellationToken stop)
    {
        try
        {
            return await BrowseServer.StartAsync(backup, options, stop);
        }
        catch (IOException failure) when (failure.InnerException is SocketException)
        {
            throw new UsageException(
                $"--port: {options.Port} cannot be used ({failure.Message}); give another one, or leave it out for a free one"
            );
        }
        catch (IOException)
        {
            throw new UsageException(
                $"--port: {options.Port} is in use by another program; give another one, or leave it out for a free one"
            );
        }
    }
}
