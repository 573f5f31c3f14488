using System.ComponentModel;
using System.Diagnostics;
using System.Net.Sockets;
using Restore.Interop;
using Restore.Web;

namespace Restore.Cli.Commands;

internal sealed class BrowseCommand(SharedOptions shared) : ICliCommand
{
    private const int HighestPort = 65535;

    private readonly Option<int?> port = Declare.Count("--port", 1, HighestPort, "a free one", "Port on this machine; other machines cannot reach it");

    private readonly Option<bool> open = Declare.Flag("--open", "Open the page in the browser of this machine");

    public string Name => "browse";

    public string Summary => "look into the backup and restore from it with a browser, or by WebDAV";

    public IReadOnlyList<Operand> Operands => [Operand.Storage];

    public IReadOnlyList<OptionGroup> Options =>
        [new("Page", [open, port, shared.EgressPrice]), shared.TargetFolder, shared.Access, shared.Output, shared.Program];

    public IReadOnlyList<string> Examples => ["restore browse /mnt/backup --open", "restore browse /mnt/backup --restore-path=/mnt/new-disk"];

    public bool HasNoDryRun => true;

    public Task<int> RunAsync(CommandContext context) => context.WithBackupAsync(backup => ServeAsync(context, backup));

    private async Task<int> ServeAsync(CommandContext context, Backup backup)
    {
        TargetPlace.Check(context.Request, backup.Location);
        var options = new BrowseOptions
        {
            Port = context.Line.Value(port) ?? 0,
            RestoreFolder = context.Request.Restore.Target is { } folder ? Path.GetFullPath(folder) : null,
            RefuseTarget = target => TargetPlace.Refusal(target, backup.Location),
            ReportPage = (page, reports) => ReportHtml.Write(page, reports, context.Environment.Clock),
            PricePerGigabyte = context.Line.Value(shared.EgressPrice),
            TimeProvider = context.Environment.Clock,
            LoggerFactory = new OneLoggerFactory(new DebugLogger(context.Logger)),
        };
        await RequirePassphraseAsync(backup, context.Environment.StopToken);
        await using var running = await StartAsync(backup, options, context.Environment.StopToken);
        await PrintAsync(context, running);
        if (context.Line.Value(open) && await SystemBrowser.OpenAsync(running.MakeOpenAddress(), context.Environment) is { } problem)
        {
            context.Messages.WriteLine($"--open: {problem}; open the address of the page yourself");
        }

        await Task.Delay(Timeout.Infinite, context.Environment.StopToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        return ExitCodes.Complete;
    }

    /// <summary>Starts to read the newest list, so that a wrong passphrase is noticed while the user can still answer. The page reports
    /// other failures.</summary>
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
            });
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
            throw new UsageException($"--port: {options.Port} cannot be used ({failure.Message}); give another one, or leave it out for a free one");
        }
        catch (IOException)
        {
            throw new UsageException($"--port: {options.Port} is in use by another program; give another one, or leave it out for a free one");
        }
    }
}

/// <summary>The browser of this machine, which goes on when this program ends.</summary>
internal static class SystemBrowser
{
    // What a program with windows needs beside the variables of every program.
    private static readonly string[] OfWindows =
        ["DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "BROWSER", "DESKTOP_SESSION", "GNOME_DESKTOP_SESSION_ID", "KDE_FULL_SESSION"];

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(3);

    /// <returns>What went wrong; null if nothing is known to have.</returns>
    public static async Task<string?> OpenAsync(Uri address, CliEnvironment environment)
    {
        try
        {
            if (OperatingSystem.IsWindows())
            {
                Process.Start(new ProcessStartInfo(address.AbsoluteUri) { UseShellExecute = true })?.Dispose();
                return null;
            }

            var name = OperatingSystem.IsMacOS() ? "open" : "xdg-open";
            if (SystemPrograms.Find(name, environment.Variable("PATH") ?? "") is not { } program)
            {
                return $"there is no program {name}";
            }

            using var process = Process.Start(Silent(program, address));
            using var patience = new CancellationTokenSource(Patience, environment.Clock);
            await process!.WaitForExitAsync(patience.Token);
            return process.ExitCode == 0 ? null : $"{name} ended with exit code {process.ExitCode}";
        }
        catch (OperationCanceledException)
        {
            // It is the browser itself, and runs.
            return null;
        }
        catch (Win32Exception failure)
        {
            return $"no browser can be started ({failure.Message})";
        }
    }

    /// <summary>A browser writes much to its terminal, and ends with a pipe that nobody reads.</summary>
    private static ProcessStartInfo Silent(string program, Uri address)
    {
        var start = SystemPrograms.StartInfo(
            "/bin/sh", ["-c", "exec \"$0\" \"$1\" </dev/null >/dev/null 2>&1", program, address.AbsoluteUri], OfWindows.Contains);
        (start.RedirectStandardInput, start.RedirectStandardOutput, start.RedirectStandardError) = (false, false, false);
        return start;
    }
}
