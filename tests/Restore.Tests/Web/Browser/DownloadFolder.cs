using System.Text.Json.Nodes;

namespace Restore.Tests.Web.Browser;

/// <summary>Where a browser saves downloads.</summary>
internal sealed class DownloadFolder(string folder)
{
    public async Task UseAsync(Chromium browser)
    {
        Directory.CreateDirectory(folder);
        await browser.SendAsync(
            "Browser.setDownloadBehavior",
            new JsonObject { ["behavior"] = "allow", ["downloadPath"] = folder }
        );
    }

    public void Forget() => Array.ForEach(Directory.GetFiles(folder), File.Delete);

    /// <summary>The file of that name, once the browser has all of it.</summary>
    public async Task<string> WaitAsync(string name)
    {
        using CancellationTokenSource limit = new(Chromium.Limit);
        string file = Path.Join(folder, name);
        while (!File.Exists(file) || Directory.GetFiles(folder, "*.crdownload").Length > 0)
        {
            await Task.Delay(30, limit.Token);
        }

        return file;
    }
}
