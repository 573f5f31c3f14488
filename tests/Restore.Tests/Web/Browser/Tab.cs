using System.Text.Json.Nodes;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Web.Browser;

/// <summary>
/// A tab of the browser. When it is closed, it must not have asked another server, run a script of
/// the backup, or thrown.
/// </summary>
internal sealed class Tab(Chromium browser, string session, string target, Uri address) : IAsyncDisposable
{
    /// <summary>The rules of accessibility.</summary>
    public const string Axe = "tests/servers/node_modules/axe-core/axe.min.js";

    private static readonly Dictionary<string, int> KeyCodes = new()
    {
        ["Tab"] = 9,
        ["Enter"] = 13,
        ["Backspace"] = 8,
        [" "] = 32,
        ["ArrowDown"] = 40,
        ["ArrowUp"] = 38,
        ["ArrowRight"] = 39,
        ["End"] = 35,
        ["Home"] = 36,
        ["Escape"] = 27,
        ["/"] = 191,
    };

    private readonly Lock gate = new();
    private readonly List<string> requests = [];
    private readonly List<string> faults = [];

    public IReadOnlyList<string> Requests
    {
        get
        {
            lock (gate)
            {
                return [.. requests];
            }
        }
    }

    public async Task StartAsync(bool isDark, string? before = null)
    {
        foreach (string domain in (string[])["Page", "Runtime", "Network", "Log", "Accessibility"])
        {
            await SendAsync($"{domain}.enable");
        }

        await SetDarkAsync(isDark);
        if (before is not null)
        {
            await SendAsync("Page.addScriptToEvaluateOnNewDocument", new JsonObject { ["source"] = before });
        }

        await GoAsync(address);
    }

    public Task SetDarkAsync(bool isDark) =>
        SendAsync(
            "Emulation.setEmulatedMedia",
            new JsonObject
            {
                ["features"] = new JsonArray(
                    new JsonObject { ["name"] = "prefers-color-scheme", ["value"] = isDark ? "dark" : "light" }
                ),
            }
        );

    public Task SetSizeAsync(int width, int height) =>
        SendAsync(
            "Emulation.setDeviceMetricsOverride",
            new JsonObject
            {
                ["width"] = width,
                ["height"] = height,
                ["deviceScaleFactor"] = 1,
                ["mobile"] = false,
            }
        );

    /// <summary>
    /// A phone: small, and used with a finger. The page looks at that when it is loaded.
    /// </summary>
    public async Task BecomePhoneAsync(int width = 390, int height = 844)
    {
        await SendAsync(
            "Emulation.setDeviceMetricsOverride",
            new JsonObject
            {
                ["width"] = width,
                ["height"] = height,
                ["deviceScaleFactor"] = 1,
                ["mobile"] = true,
            }
        );
        await SendAsync("Emulation.setTouchEmulationEnabled", new JsonObject { ["enabled"] = true });
        await ReloadAsync();
    }

    public Task SetPrintAsync(bool isPrint) =>
        SendAsync("Emulation.setEmulatedMedia", new JsonObject { ["media"] = isPrint ? "print" : "" });

    public Task GoAsync(Uri to) => SendAsync("Page.navigate", new JsonObject { ["url"] = to.ToString() });

    /// <summary>
    /// Loads the page again, and waits until the old document is gone: what follows must not see
    /// it.
    /// </summary>
    public async Task ReloadAsync()
    {
        await EvalAsync("window.isBeforeReload = true");
        await SendAsync("Page.reload");
        await UntilAsync("window.isBeforeReload !== true");
    }

    /// <summary>Another page of the same document, by what follows the '#'.</summary>
    public Task GoAsync(string hash) => EvalAsync($"location.hash = {JsonValue.Create(hash).ToJsonString()}");

    /// <summary>Types into the field of the search, at once.</summary>
    public Task SearchAsync(string text) =>
        EvalAsync(
            $"(search => {{ search.value = {Quote(text)}; search.dispatchEvent(new Event('input')); }})(document.getElementById('search'))"
        );

    /// <summary>The value of an expression in the page.</summary>
    public async Task<JsonNode?> EvalAsync(string expression)
    {
        JsonNode answer = await SendAsync(
            "Runtime.evaluate",
            new JsonObject
            {
                ["expression"] = expression,
                ["awaitPromise"] = true,
                ["returnByValue"] = true,
            }
        );
        Assert.True(answer["exceptionDetails"] is null, $"{expression}: {answer["exceptionDetails"]?.ToJsonString()}");
        return answer["result"]!["value"];
    }

    /// <summary>
    /// Waits until an expression is true, and says what the page shows if that does not happen.
    /// </summary>
    public async Task UntilAsync(string expression, TimeSpan? patience = null)
    {
        using CancellationTokenSource limit = new(patience ?? Chromium.Limit);
        while (await TryEvalAsync($"!!({expression})") is not true)
        {
            Assert.False(limit.IsCancellationRequested, $"never: {expression}\n{await TextAsync("document.body")}");
            await Task.Delay(30, TestContext.Current.CancellationToken);
        }
    }

    public async Task<string> TextAsync(string element) =>
        (string?)await EvalAsync($"{element}?.innerText ?? ''") ?? "";

    public async Task<string[]> TextsAsync(string selector) =>
        [
            .. (await EvalAsync($"[...document.querySelectorAll({Quote(selector)})].map(one => one.innerText)"))!
                .AsArray()
                .Select(one => (string)one!),
        ];

    /// <summary>
    /// Clicks with the mouse in the middle of the first element that a selector finds, or whose
    /// text is the given one.
    /// </summary>
    public async Task ClickAsync(string selector, string? text = null)
    {
        JsonArray at = await MiddleOfAsync(selector, text);
        foreach (string type in (string[])["mousePressed", "mouseReleased"])
        {
            await SendAsync(
                "Input.dispatchMouseEvent",
                new JsonObject
                {
                    ["type"] = type,
                    ["x"] = (double)at[0]!,
                    ["y"] = (double)at[1]!,
                    ["button"] = "left",
                    ["clickCount"] = 1,
                }
            );
        }
    }

    /// <summary>Moves the mouse over the middle of such an element.</summary>
    public async Task HoverAsync(string selector, string? text = null)
    {
        JsonArray at = await MiddleOfAsync(selector, text);
        await SendAsync(
            "Input.dispatchMouseEvent",
            new JsonObject
            {
                ["type"] = "mouseMoved",
                ["x"] = (double)at[0]!,
                ["y"] = (double)at[1]!,
            }
        );
    }

    /// <summary>
    /// Touches the middle of the first element that a selector finds, or whose text is the given
    /// one.
    /// </summary>
    public async Task TapAsync(string selector, string? text = null)
    {
        JsonArray at = await MiddleOfAsync(selector, text);
        await SendAsync(
            "Input.dispatchTouchEvent",
            new JsonObject
            {
                ["type"] = "touchStart",
                ["touchPoints"] = new JsonArray(new JsonObject { ["x"] = (double)at[0]!, ["y"] = (double)at[1]! }),
            }
        );
        await SendAsync(
            "Input.dispatchTouchEvent",
            new JsonObject { ["type"] = "touchEnd", ["touchPoints"] = new JsonArray() }
        );
    }

    /// <summary>What axe-core finds wrong in the page as it is now: the rule, and where.</summary>
    public async Task<string[]> AxeAsync()
    {
        if ((bool)(await EvalAsync("typeof axe === 'undefined'"))!)
        {
            await EvalAsync(await File.ReadAllTextAsync(NeedsProgramsAttribute.Find(Axe)!) + ";0");
        }

        JsonNode found = (
            await EvalAsync(
                """
                axe.run(document, { resultTypes: ['violations'] }).then(result => result.violations.map(rule =>
                  `${rule.id} (${rule.impact}): ${rule.nodes.map(node => node.target.join(' ')).join(', ')}`))
                """
            )
        )!;
        return [.. found.AsArray().Select(one => (string)one!)];
    }

    private async Task<JsonArray> MiddleOfAsync(string selector, string? text)
    {
        string find = text is null
            ? $"document.querySelector({Quote(selector)})"
            : $"[...document.querySelectorAll({Quote(selector)})].find(one => one.innerText.includes({Quote(text)}))";
        await UntilAsync($"{find} && !{find}.disabled");
        string middle = $$"""
            (() => {
              const one = {{find}};
              one.scrollIntoView({ block: 'nearest' });
              const box = one.getBoundingClientRect();
              return [box.x + box.width / 2, box.y + box.height / 2];
            })()
            """;
        return (await EvalAsync(middle))!.AsArray();
    }

    public Task PressAsync(params string[] keys) => PressWithAsync(KeyModifier.None, keys);

    public async Task PressWithAsync(KeyModifier modifier, params string[] keys)
    {
        foreach (string key in keys)
        {
            foreach (string type in (string[])["keyDown", "keyUp"])
            {
                JsonObject press = new()
                {
                    ["type"] = type,
                    ["key"] = key,
                    ["code"] = key == " " ? "Space" : key,
                    ["windowsVirtualKeyCode"] = KeyCodes.GetValueOrDefault(key, char.ToUpperInvariant(key[0])),
                    ["modifiers"] = (int)modifier,
                };
                if (type == "keyDown" && key is " " or "Enter")
                {
                    press["text"] = key == " " ? " " : "\r";
                }

                await SendAsync("Input.dispatchKeyEvent", press);
            }
        }
    }

    /// <summary>Types into the element that has the focus.</summary>
    public Task TypeAsync(string text) => SendAsync("Input.insertText", new JsonObject { ["text"] = text });

    /// <summary>
    /// What a screen reader hears: role and name of all that is not hidden from it.
    /// </summary>
    public async Task<(string Role, string Name)[]> AccessibilityAsync()
    {
        JsonNode tree = await SendAsync("Accessibility.getFullAXTree");
        return
        [
            .. tree["nodes"]!
                .AsArray()
                .Where(node => (bool?)node!["ignored"] != true)
                .Select(node => ((string?)node!["role"]?["value"] ?? "", (string?)node["name"]?["value"] ?? "")),
        ];
    }

    public async Task<byte[]> ScreenshotAsync()
    {
        JsonNode shot = await SendAsync(
            "Page.captureScreenshot",
            new JsonObject { ["format"] = "png", ["optimizeForSpeed"] = false }
        );
        return Convert.FromBase64String((string)shot["data"]!);
    }

    public Task<JsonNode> SendAsync(string method, JsonObject? parameters = null) =>
        browser.SendAsync(method, parameters, session);

    public void Hear(string method, JsonNode value)
    {
        lock (gate)
        {
            if (method == "Network.requestWillBeSent")
            {
                requests.Add((string)value["request"]!["url"]!);
            }
            else if (
                method is "Runtime.exceptionThrown" or "Page.javascriptDialogOpening"
                || (method == "Log.entryAdded" && (string?)value["entry"]!["source"] == "security")
            )
            {
                faults.Add($"{method}: {value.ToJsonString()}");
            }
        }
    }

    public async ValueTask DisposeAsync()
    {
        await browser.SendAsync("Target.closeTarget", new JsonObject { ["targetId"] = target });
        browser.Forget(session);
        lock (gate)
        {
            // A page from a file may ask for itself alone, and its blobs have no origin.
            string root = address.IsFile ? address.ToString() : $"{address.GetLeftPart(UriPartial.Authority)}/";
            string blobs = address.IsFile ? "blob:null/" : $"blob:{root}";
            Assert.Empty(faults);
            Assert.All(
                requests,
                request =>
                    Assert.True(
                        request.StartsWith(root, StringComparison.Ordinal)
                            || request.StartsWith(blobs, StringComparison.Ordinal)
                            || request.StartsWith("data:", StringComparison.Ordinal),
                        request
                    )
            );
        }
    }

    public static string Quote(string text) => JsonValue.Create(text).ToJsonString();

    private async Task<bool?> TryEvalAsync(string expression)
    {
        try
        {
            return (bool?)await EvalAsync(expression);
        }
        catch (InvalidOperationException)
        {
            // The page is on its way to another address.
            return null;
        }
    }
}
