using System.Diagnostics;
using System.Text.Json.Nodes;

namespace Restore.Tests.Web.Browser;

/// <summary>restore.html in a browser, opened from its file. RESTORE_HTML names a finished one; otherwise it is made, which takes a minute.</summary>
public sealed class RestoreHtml : IAsyncLifetime
{
    private const string Maker = "deploy/make-restore-html";

    private readonly TempFolder folder = new();
    private Chromium? browser;

    public string File { get; private set; } = "";

    /// <summary>Where the browser saves downloads.</summary>
    public string Downloads => folder.In("downloads");

    internal Chromium Browser => browser!;

    public async ValueTask InitializeAsync()
    {
        File = Environment.GetEnvironmentVariable("RESTORE_HTML") is { Length: > 0 } made ? Path.GetFullPath(made) : await MakeAsync();
        Directory.CreateDirectory(Downloads);
        browser = await Chromium.StartAsync();
        await browser.SendAsync("Browser.setDownloadBehavior", new JsonObject { ["behavior"] = "allow", ["downloadPath"] = Downloads });
    }

    public async ValueTask DisposeAsync()
    {
        if (browser is not null)
        {
            await browser.DisposeAsync();
        }

        folder.Dispose();
    }

    /// <summary>Opens the file in a tab, and waits until it takes a folder; the worker is the variable 'engine'.</summary>
    internal async Task<Tab> OpenAsync()
    {
        Tab tab = await Browser.OpenAsync(new Uri(File), before: "Worker = class extends Worker { constructor(address) { super(address); globalThis.engine = this; } };");
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

    internal static async Task GiveAsync(Tab tab, string backup)
    {
        JsonNode document = await tab.SendAsync("DOM.getDocument");
        JsonNode input = await tab.SendAsync("DOM.querySelector", new JsonObject { ["nodeId"] = (int)document["root"]!["nodeId"]!, ["selector"] = "#files" });
        await tab.SendAsync("DOM.setFileInputFiles", new JsonObject { ["nodeId"] = (int)input["nodeId"]!, ["files"] = new JsonArray(backup) });
    }

    internal static async Task UnlockAsync(Tab tab, string passphrase)
    {
        await tab.UntilAsync("!document.querySelector('#ask').hidden");
        await tab.EvalAsync("document.querySelector('#passphrase').focus()");
        await tab.EvalAsync("document.querySelector('#passphrase').value = ''");
        await tab.TypeAsync(passphrase);
        await tab.PressAsync("Enter");
    }

    /// <summary>The downloaded file, once the browser has all of it.</summary>
    internal async Task<string> DownloadAsync()
    {
        using CancellationTokenSource limit = new(Chromium.Limit);
        while (true)
        {
            if (Directory.GetFiles(Downloads) is [string one] && Path.GetExtension(one) != ".crdownload")
            {
                string taken = folder.In(Guid.NewGuid().ToString());
                System.IO.File.Move(one, taken);
                return taken;
            }

            await Task.Delay(50, limit.Token);
        }
    }

    private async Task<string> MakeAsync()
    {
        string file = folder.In("restore.html");
        ProcessStartInfo start = new("bash", [Path.Join(Fixtures.RepositoryRoot(), Maker), file]) { RedirectStandardOutput = true, RedirectStandardError = true };
        using Process make = Process.Start(start)!;
        Task<string> output = make.StandardOutput.ReadToEndAsync();
        string error = await make.StandardError.ReadToEndAsync();
        await make.WaitForExitAsync();
        Assert.True(make.ExitCode == 0, await output + error);
        return file;
    }
}
