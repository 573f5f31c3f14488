using System.Diagnostics;
using System.Text.Json.Nodes;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging.Abstractions;
using Restore.Web.Http;

namespace Restore.Tests.Web.Browser;

/// <summary>
/// restore.html in a browser, opened from its file. RESTORE_HTML names a finished one; otherwise it
/// is made, which takes a minute.
/// </summary>
public sealed class RestoreHtml : IAsyncLifetime
{
    private const string Maker = "deploy/make-restore-html";

    /// <summary>Asks the engine as the transport of the page does.</summary>
    private const string Ask = """
        globalThis.ask = message => new Promise((resolve, reject) => {
          const id = globalThis.lastId = (globalThis.lastId ?? 1e6) + 1;
          const hear = ({ data }) => {
            if (data.id === id) {
              engine.removeEventListener('message', hear);
              data.failure === undefined ? resolve(data.value) : reject(new Error(data.failure));
            }
          };
          engine.addEventListener('message', hear);
          engine.postMessage({ id, ...message });
        });
        0
        """;

    // Once for all classes.
    private static readonly Lazy<Task<string>> Made = new(MakeAsync);

    private readonly TempFolder folder = new();
    private Chromium? browser;
    private Tab? engine;
    private LoopbackServer? server;

    public string File { get; private set; } = "";

    /// <summary>Where the browser saves downloads.</summary>
    public string Downloads => folder.In("downloads");

    internal Chromium Browser => browser!;

    public async ValueTask InitializeAsync()
    {
        File = Environment.GetEnvironmentVariable("RESTORE_HTML") is { Length: > 0 } made
            ? Path.GetFullPath(made)
            : await Made.Value;
        Directory.CreateDirectory(Downloads);
        browser = await Chromium.StartAsync();
        await browser.SendAsync(
            "Browser.setDownloadBehavior",
            new JsonObject { ["behavior"] = "allow", ["downloadPath"] = Downloads }
        );
    }

    public async ValueTask DisposeAsync()
    {
        if (engine is not null)
        {
            await engine.DisposeAsync();
        }

        if (browser is not null)
        {
            await browser.DisposeAsync();
        }

        if (server is not null)
        {
            await server.DisposeAsync();
        }

        folder.Dispose();
    }

    /// <summary>
    /// Opens the file in a tab, and waits until it takes a folder; the worker is the variable
    /// 'engine'.
    /// </summary>
    internal async Task<Tab> OpenAsync()
    {
        const string KeepWorker =
            "Worker = class extends Worker { constructor(address) { super(address); globalThis.engine ??= this; } };";
        Tab tab = await Browser.OpenAsync(new Uri(File), before: KeepWorker);
        await tab.UntilAsync("document.querySelector('#pick')?.disabled === false");
        return tab;
    }

    /// <summary>
    /// Opens the file from a server of this machine: there a page has a private file system, which
    /// answers for the dialogs that ask for a folder.
    /// </summary>
    internal async Task<Tab> OpenServedAsync()
    {
        const string Pickers =
            "globalThis.showDirectoryPicker = async ({ id }) => (await navigator.storage.getDirectory()).getDirectoryHandle(id, { create: true });";
        server ??= await LoopbackServer.StartAsync(
            0,
            context => context.Response.SendFileAsync(File, context.RequestAborted),
            NullLoggerFactory.Instance,
            CancellationToken.None
        );
        Tab tab = await Browser.OpenAsync(new Uri($"http://localhost:{server.Port}/restore.html"), before: Pickers);
        await tab.UntilAsync("document.querySelector('#pick')?.disabled === false");
        return tab;
    }

    /// <summary>Opens the file, and the backup in a folder.</summary>
    internal async Task<Tab> OpenAsync(string backup, string? passphrase)
    {
        Tab tab = await OpenAsync();
        await GiveAsync(tab, backup);
        if (passphrase is not null)
        {
            await UnlockAsync(tab, passphrase);
        }

        await tab.UntilAsync("!document.querySelector('#open') && document.querySelectorAll('.row .name').length > 0");
        return tab;
    }

    /// <summary>
    /// One tab for all tests that ask its engine and leave the page alone: the input 'given' takes
    /// a folder.
    /// </summary>
    internal async Task<Tab> EngineAsync()
    {
        if (engine is null)
        {
            engine = await OpenAsync();
            await engine.EvalAsync(Ask);
            await engine.EvalAsync(
                "document.body.append(Object.assign(document.createElement('input'), { id: 'given', type: 'file', webkitdirectory: true })); 0"
            );
        }

        return engine;
    }

    internal static async Task GiveAsync(Tab tab, string backup, string input = "#files")
    {
        await tab.EvalAsync($"document.querySelector('{input}').value = ''; 0");
        JsonNode document = await tab.SendAsync("DOM.getDocument");
        JsonNode found = await tab.SendAsync(
            "DOM.querySelector",
            new JsonObject { ["nodeId"] = (int)document["root"]!["nodeId"]!, ["selector"] = input }
        );
        await tab.SendAsync(
            "DOM.setFileInputFiles",
            new JsonObject { ["nodeId"] = (int)found["nodeId"]!, ["files"] = new JsonArray(backup) }
        );
        await tab.UntilAsync($"document.querySelector('{input}')?.files.length !== 0");
    }

    internal static async Task UnlockAsync(Tab tab, string passphrase)
    {
        await tab.UntilAsync("!document.querySelector('#ask').hidden");
        await tab.EvalAsync("document.querySelector('#passphrase').focus()");
        await tab.EvalAsync("document.querySelector('#passphrase').value = ''");
        await tab.TypeAsync(passphrase);
        await tab.PressAsync("Enter");
    }

    internal void ForgetDownloads() => Array.ForEach(Directory.GetFiles(Downloads), System.IO.File.Delete);

    /// <summary>The downloaded file, once the browser has all of it.</summary>
    internal async Task<string> DownloadAsync()
    {
        using CancellationTokenSource limit = new(Chromium.Limit);
        while (true)
        {
            // While it loads, the browser has a file without a name of its own, and one with an end of
            // its own.
            if (
                Directory.GetFiles(Downloads).Where(IsNamed).ToArray() is [string one]
                && Path.GetExtension(one) != ".crdownload"
            )
            {
                string taken = folder.In(Guid.NewGuid().ToString());
                System.IO.File.Move(one, taken);
                return taken;
            }

            await Task.Delay(50, limit.Token);
        }
    }

    private static bool IsNamed(string file) => !Path.GetFileName(file).StartsWith('.');

    private static async Task<string> MakeAsync()
    {
        string file = Path.Join(AppContext.BaseDirectory, "restore.html");
        ProcessStartInfo start = new("bash", [Path.Join(Fixtures.RepositoryRoot(), Maker), file])
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using Process make = Process.Start(start)!;
        Task<string> output = make.StandardOutput.ReadToEndAsync();
        string error = await make.StandardError.ReadToEndAsync();
        await make.WaitForExitAsync();
        Assert.True(make.ExitCode == 0, await output + error);
        return file;
    }
}
