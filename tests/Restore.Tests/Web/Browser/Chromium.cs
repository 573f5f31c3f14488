using System.Collections.Concurrent;
using System.Diagnostics;
using System.Net.WebSockets;
using System.Text.Json;
using System.Text.Json.Nodes;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Web.Browser;

/// <summary>
/// Debian's chromium without a screen, driven by the DevTools protocol over its websocket.
/// </summary>
internal sealed class Chromium : IAsyncDisposable
{
    public static readonly TimeSpan Limit = TimeSpan.FromSeconds(20);

    private static readonly string[] Arguments =
    [
        "--headless=new",
        "--remote-debugging-port=0",
        "--no-first-run",
        "--no-default-browser-check",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-default-apps",
        "--disable-extensions",
        "--disable-sync",
        "--disable-features=OptimizationHints,MediaRouter,Translate",
        "--metrics-recording-only",
        "--mute-audio",
        "--hide-scrollbars",
        "--force-color-profile=srgb",
        "--window-size=1240,800",
    ];

    private readonly TempFolder profile = new();
    private readonly ClientWebSocket socket = new();
    private readonly SemaphoreSlim sending = new(1);
    private readonly ConcurrentDictionary<int, TaskCompletionSource<JsonNode?>> answers = [];
    private readonly ConcurrentDictionary<string, Action<string, JsonNode>> sessions = [];
    private readonly CancellationTokenSource closing = new();
    private readonly Process process;
    private Task receiving = Task.CompletedTask;
    private int lastId;

    private Chromium()
    {
        ProcessStartInfo start = new(
            NeedsProgramsAttribute.Find("chromium")!,
            [.. Arguments, $"--user-data-dir={profile.Path}"]
        )
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        if (Environment.IsPrivilegedProcess)
        {
            // The root user has no sandbox.
            start.ArgumentList.Add("--no-sandbox");
        }

        start.ArgumentList.Add("about:blank");
        process = Process.Start(start)!;
        _ = process.StandardOutput.ReadToEndAsync();
    }

    public static async Task<Chromium> StartAsync()
    {
        Chromium browser = new();
        try
        {
            string address = await browser.process.AddressAfterAsync("DevTools listening on ").WaitAsync(Limit);
            await browser.socket.ConnectAsync(new Uri(address), browser.closing.Token).WaitAsync(Limit);
            browser.receiving = Task.Run(browser.ReceiveAsync);
            return browser;
        }
        catch
        {
            await browser.DisposeAsync();
            throw;
        }
    }

    /// <summary>Opens a tab.</summary>
    /// <param name="address">What it shows.</param>
    /// <param name="isDark">Whether the system prefers dark colors.</param>
    /// <param name="before">A script that runs before those of the page.</param>
    public async Task<Tab> OpenAsync(Uri address, bool isDark = false, string? before = null)
    {
        JsonNode target = await SendAsync("Target.createTarget", new JsonObject { ["url"] = "about:blank" });
        string id = (string)target["targetId"]!;
        JsonNode attached = await SendAsync(
            "Target.attachToTarget",
            new JsonObject { ["targetId"] = id, ["flatten"] = true }
        );
        string session = (string)attached["sessionId"]!;
        Tab tab = new(this, session, id, address);
        sessions[session] = tab.Hear;
        await tab.StartAsync(isDark, before);
        return tab;
    }

    public void Forget(string session) => sessions.TryRemove(session, out _);

    public async Task<JsonNode> SendAsync(string method, JsonObject? parameters = null, string? session = null)
    {
        int id = Interlocked.Increment(ref lastId);
        TaskCompletionSource<JsonNode?> answer = answers[id] = new(TaskCreationOptions.RunContinuationsAsynchronously);
        JsonObject message = new()
        {
            ["id"] = id,
            ["method"] = method,
            ["params"] = parameters ?? [],
        };
        if (session is not null)
        {
            message["sessionId"] = session;
        }

        await sending.WaitAsync();
        try
        {
            await socket.SendAsync(
                JsonSerializer.SerializeToUtf8Bytes(message),
                WebSocketMessageType.Text,
                true,
                closing.Token
            );
        }
        finally
        {
            sending.Release();
        }

        return await answer.Task.WaitAsync(Limit) ?? new JsonObject();
    }

    public async ValueTask DisposeAsync()
    {
        await closing.CancelAsync();
        process.Kill(entireProcessTree: true);
        await process.WaitForExitAsync().WaitAsync(Limit);
        await receiving.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        socket.Dispose();
        process.Dispose();
        closing.Dispose();
        profile.Dispose();
    }

    private async Task ReceiveAsync()
    {
        byte[] buffer = new byte[1 << 16];
        using MemoryStream message = new();
        while (true)
        {
            ValueWebSocketReceiveResult part = await socket.ReceiveAsync(buffer.AsMemory(), closing.Token);
            message.Write(buffer, 0, part.Count);
            if (part.MessageType == WebSocketMessageType.Close)
            {
                return;
            }

            if (part.EndOfMessage)
            {
                Take(JsonNode.Parse(message.GetBuffer().AsSpan(0, (int)message.Length))!);
                message.SetLength(0);
            }
        }
    }

    private void Take(JsonNode message)
    {
        if (message["id"] is JsonNode id)
        {
            if (answers.TryRemove((int)id, out TaskCompletionSource<JsonNode?>? answer))
            {
                _ = message["error"] is JsonNode error
                    ? answer.TrySetException(new InvalidOperationException(error.ToJsonString()))
                    : answer.TrySetResult(message["result"]);
            }
        }
        else if (
            message["sessionId"] is JsonNode session
            && sessions.TryGetValue((string)session!, out Action<string, JsonNode>? hear)
        )
        {
            hear((string)message["method"]!, message["params"]!);
        }
    }
}
