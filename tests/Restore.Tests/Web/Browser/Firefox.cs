using System.Diagnostics;
using System.Net.WebSockets;
using System.Text.Json;
using System.Text.Json.Nodes;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Web.Browser;

/// <summary>
/// Debian's Firefox without a screen, with one tab, driven by WebDriver BiDi over its websocket:
/// one command at a time.
/// </summary>
internal sealed class Firefox : IAsyncDisposable
{
    // It is slow to start while other tests run.
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(1);

    private readonly TempFolder folder = new();
    private readonly ClientWebSocket socket = new();
    private readonly Process process;
    private string tab = "";
    private int lastId;

    private Firefox()
    {
        Directory.CreateDirectory(Downloads);
        File.WriteAllText(
            Path.Join(Directory.CreateDirectory(folder.In("profile")).FullName, "user.js"),
            $"""
            user_pref("browser.download.folderList", 2);
            user_pref("browser.download.dir", "{Downloads}");
            user_pref("browser.download.always_ask_before_handling_new_types", false);
            user_pref("browser.helperApps.neverAsk.saveToDisk", "application/octet-stream");
            """
        );
        ProcessStartInfo start = new(
            NeedsProgramsAttribute.Find("firefox-esr")!,
            ["--headless", "--no-remote", "--remote-debugging-port=0", "--profile", folder.In("profile")]
        )
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment["HOME"] = folder.Path;
        process = Process.Start(start)!;
        _ = process.StandardOutput.ReadToEndAsync();
    }

    public string Downloads => folder.In("downloads");

    public static async Task<Firefox> StartAsync()
    {
        Firefox browser = new();
        try
        {
            using CancellationTokenSource limit = new(Limit);
            string address = await browser.process.AddressAfterAsync("WebDriver BiDi listening on ").WaitAsync(Limit);
            await browser.socket.ConnectAsync(new Uri(address + "/session"), limit.Token);
            await browser.SendAsync("session.new", new JsonObject { ["capabilities"] = new JsonObject() });
            browser.tab = (string)(await browser.SendAsync("browsingContext.getTree", []))["contexts"]![0]!["context"]!;
            return browser;
        }
        catch
        {
            await browser.DisposeAsync();
            throw;
        }
    }

    public Task GoAsync(Uri address) =>
        SendAsync(
            "browsingContext.navigate",
            new JsonObject
            {
                ["context"] = tab,
                ["url"] = address.ToString(),
                ["wait"] = "complete",
            }
        );

    /// <summary>The value of an expression in the page: a text, a number or a boolean.</summary>
    public async Task<JsonNode?> EvalAsync(string expression)
    {
        JsonNode answer = await SendAsync(
            "script.evaluate",
            new JsonObject
            {
                ["expression"] = expression,
                ["target"] = new JsonObject { ["context"] = tab },
                ["awaitPromise"] = true,
            }
        );
        Assert.True(answer["exceptionDetails"] is null, $"{expression}: {answer["exceptionDetails"]?.ToJsonString()}");
        return answer["result"]!["value"];
    }

    public async Task UntilAsync(string expression)
    {
        using CancellationTokenSource limit = new(Limit);
        while (!(bool)(await EvalAsync($"!!({expression})"))!)
        {
            Assert.False(
                limit.IsCancellationRequested,
                $"never: {expression}\n{await EvalAsync("document.body.innerText")}"
            );
            await Task.Delay(50, TestContext.Current.CancellationToken);
        }
    }

    /// <summary>Gives files to an input, as a person does who picks them.</summary>
    public async Task GiveAsync(string selector, IEnumerable<string> files)
    {
        JsonNode found = await SendAsync(
            "browsingContext.locateNodes",
            new JsonObject
            {
                ["context"] = tab,
                ["locator"] = new JsonObject { ["type"] = "css", ["value"] = selector },
            }
        );
        await SendAsync(
            "input.setFiles",
            new JsonObject
            {
                ["context"] = tab,
                ["element"] = new JsonObject { ["sharedId"] = (string)found["nodes"]![0]!["sharedId"]! },
                ["files"] = new JsonArray([.. files.Select(file => (JsonNode)file)]),
            }
        );
    }

    /// <summary>The only downloaded file, once the browser has all of it.</summary>
    public async Task<string> DownloadAsync()
    {
        using CancellationTokenSource limit = new(Limit);
        while (true)
        {
            if (
                Directory.GetFiles(Downloads) is [string one]
                && Path.GetExtension(one) != ".part"
                && new FileInfo(one).Length > 0
            )
            {
                return one;
            }

            await Task.Delay(50, limit.Token);
        }
    }

    public async ValueTask DisposeAsync()
    {
        process.Kill(entireProcessTree: true);
        await process.WaitForExitAsync().WaitAsync(Limit);
        socket.Dispose();
        process.Dispose();
        folder.Dispose();
    }

    private async Task<JsonNode> SendAsync(string method, JsonObject parameters)
    {
        int id = ++lastId;
        using CancellationTokenSource limit = new(Limit);
        JsonObject message = new()
        {
            ["id"] = id,
            ["method"] = method,
            ["params"] = parameters,
        };
        await socket.SendAsync(
            JsonSerializer.SerializeToUtf8Bytes(message),
            WebSocketMessageType.Text,
            true,
            limit.Token
        );
        while (true)
        {
            JsonNode answer = await ReceiveAsync(limit.Token);
            if ((int?)answer["id"] == id)
            {
                return answer["result"] ?? throw new InvalidOperationException($"{method}: {answer.ToJsonString()}");
            }
        }
    }

    private async Task<JsonNode> ReceiveAsync(CancellationToken cancellationToken)
    {
        byte[] buffer = new byte[1 << 16];
        using MemoryStream message = new();
        ValueWebSocketReceiveResult part;
        do
        {
            part = await socket.ReceiveAsync(buffer.AsMemory(), cancellationToken);
            message.Write(buffer, 0, part.Count);
        } while (!part.EndOfMessage);
        return JsonNode.Parse(message.GetBuffer().AsSpan(0, (int)message.Length))!;
    }
}
