using System.Security.Cryptography;
using Restore.Web.Dav;
using Restore.Web.Files;

namespace Restore.Web;

/// <summary>
/// Serves a backup on the loopback interface, as a page and by WebDAV, to clients that know the
/// address, which has a random token. The server reads the backup, and writes nowhere but to
/// <see cref="BrowseOptions.RestoreFolder"/>, and to original places only if
/// <see cref="BrowseOptions.AllowOriginalPlaces"/> is set and the user confirms it.
/// </summary>
public sealed class BrowseServer : IAsyncDisposable
{
    private const int TokenBytes = 16;

    private readonly LoopbackServer server;
    private readonly BrowseSession session;

    private readonly Gate gate;

    private BrowseServer(LoopbackServer server, BrowseSession session, Gate gate, string token)
    {
        this.gate = gate;
        this.server = server;
        this.session = session;
        Address = new Uri($"http://127.0.0.1:{server.Port}/{token}/");
    }

    /// <summary>The address of the page.</summary>
    public Uri Address { get; }

    /// <summary>The address for WebDAV clients.</summary>
    public Uri WebDavAddress => new(Address, "dav/");

    /// <summary>
    /// Makes an address that leads to the page once, within five minutes. It is for the command
    /// line of a browser, which other users of the machine can see.
    /// </summary>
    public Uri MakeOpenAddress() => new(Address, $"/open/{gate.MakeCode()}");

    /// <summary>Starts to serve a backup.</summary>
    /// <param name="backup">The backup; dispose it after the server.</param>
    /// <param name="options">How to serve it.</param>
    /// <param name="cancellationToken">Cancels the start.</param>
    /// <exception cref="IOException">The port cannot be used.</exception>
    public static async Task<BrowseServer> StartAsync(
        Backup backup,
        BrowseOptions? options = null,
        CancellationToken cancellationToken = default
    )
    {
        ArgumentNullException.ThrowIfNull(backup);
        options ??= new BrowseOptions();
        string token = Convert.ToHexStringLower(RandomNumberGenerator.GetBytes(TokenBytes));
        TargetFolders targets = new(backup, options);
        BrowseSession session = new(
            backup,
            targets,
            new BrowseSettings
            {
                ReportPage = options.ReportPage,
                PricePerGigabyte = options.PricePerGigabyte,
                CanShowFolder = options.ShowFolder is not null,
                HasFreeReads = options.HasFreeReads,
                TimeZone = options.TimeProvider.LocalTimeZone,
            }
        );
        Gate gate = new(token, Routes(session, targets, options), options.TimeProvider);
        try
        {
            LoopbackServer server = await LoopbackServer
                .StartAsync(options.Port, gate.HandleAsync, options.LoggerFactory, cancellationToken)
                .ConfigureAwait(false);
            return new BrowseServer(server, session, gate, token);
        }
        catch
        {
            await session.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    /// <summary>Ends running restores and open transfers, and stops to serve.</summary>
    public async ValueTask DisposeAsync()
    {
        session.Stop();
        await server.DisposeAsync().ConfigureAwait(false);
        await session.DisposeAsync().ConfigureAwait(false);
    }

    private static Router Routes(BrowseSession session, TargetFolders targets, BrowseOptions options) =>
        new(
            new PageFiles().Routes(),
            Router.Over([
                .. session.Routes(),
                .. targets.Routes(),
                .. new FolderWindow(session, options.ShowFolder).Routes(),
            ]),
            new FileApi(session).Routes(),
            new JobAnswers(session, options.TimeProvider).Routes(),
            new WebDav(session).Routes()
        );
}
