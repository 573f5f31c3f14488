using System.Net;
using System.Text.Json;
using Restore.Cli.Commands;
using Restore.Web;

namespace Restore.Tests.Web;

/// <summary>A backup of a small tree in three versions, served on a free port.</summary>
public sealed class ServedBackup : IAsyncLifetime
{
    /// <summary>
    /// Names that would do harm as markup, as a header, or as a part of an address or a path.
    /// </summary>
    public static readonly string[] HostileNames =
    [
        "<img src=x onerror=alert(1)>.txt",
        "\"><script>alert(1)<",
        "a&b;c=d?e#f%2F.txt",
        "new\r\nSet-Cookie: a=b",
        "txt.\u202Egpj",
        "'); alert(1); ('",
        "\\..\\..\\evil",
        "%2e%2e",
        "ünïcödé 😀.txt",
        " blanks ",
        "]]>&amp;",
        "C:",
        "constructor",
        "__proto__",
    ];

    private readonly TempFolder folder = new();
    private Backup? backup;
    private BrowseServer? server;

    public HttpClient Client { get; } = new(new SocketsHttpHandler { UseProxy = false, AllowAutoRedirect = false });

    public string Source => folder.In("source");

    /// <summary>The only folder that the page may write to.</summary>
    public string Target => folder.In("target");

    /// <summary>The folders that were shown in a window.</summary>
    public List<string> Shown { get; } = [];

    /// <summary>Why no window opens; null if one does.</summary>
    public string? WindowProblem { get; set; }

    public Uri Address => server!.Address;

    public Uri WebDavAddress => server!.WebDavAddress;

    /// <summary>A time of UTC in the name of a file or folder: as a clock on the wall shows it.</summary>
    public static string LocalName(int year, int month, int day, int hour, int minute) =>
        new DateTimeOffset(year, month, day, hour, minute, 0, TimeSpan.Zero)
            .ToLocalTime()
            .ToString("yyyy-MM-dd HH-mm", System.Globalization.CultureInfo.InvariantCulture);

    public async ValueTask InitializeAsync()
    {
        Directory.CreateDirectory(Path.Join(Source, "hostile"));
        Directory.CreateDirectory(Path.Join(Source, "many"));
        foreach (string name in HostileNames)
        {
            await File.WriteAllTextAsync(Path.Join(Source, "hostile", name), $"content of {name}");
        }

        for (int i = 0; i < 450; i++)
        {
            await File.WriteAllTextAsync(Path.Join(Source, "many", $"file {i:000}.txt"), new string('x', i));
        }

        byte[] large = new byte[300_000];
        new Random(1).NextBytes(large);
        await File.WriteAllBytesAsync(Path.Join(Source, "large.bin"), large);
        File.CreateSymbolicLink(Path.Join(Source, "link"), "/etc/passwd");
        for (int day = 1; day <= 3; day++)
        {
            if (day == 2)
            {
                await File.WriteAllTextAsync(Path.Join(Source, "short-lived.txt"), "only on day 2");
            }
            else
            {
                // Not written on day 2: the same content with another time would be another state.
                await File.WriteAllTextAsync(Path.Join(Source, "notes.txt"), day == 3 ? "changed" : "first");
                File.Delete(Path.Join(Source, "short-lived.txt"));
            }

            await new BackupWriter(
                new BackupWriterOptions
                {
                    Sources = [Source],
                    Destination = folder.In("backup"),
                    Passphrase = "secret",
                    BlockSizeBytes = 10 << 10,
                    Time = new DateTimeOffset(2026, 1, day, 12, 0, 0, TimeSpan.Zero),
                }
            ).WriteAsync();
        }

        backup = await Backup.OpenAsync(folder.In("backup"), new BackupOptions { Passphrase = "secret" });
        server = await BrowseServer.StartAsync(
            backup,
            new BrowseOptions
            {
                RestoreFolder = Target,
                FreeBytesAt = TargetPlace.FreeBytesAt,
                ShowFolder = shown =>
                {
                    Shown.Add(shown);
                    return Task.FromResult(WindowProblem);
                },
            }
        );
    }

    public async ValueTask DisposeAsync()
    {
        Client.Dispose();
        if (server is not null)
        {
            await server.DisposeAsync();
        }

        if (backup is not null)
        {
            await backup.DisposeAsync();
        }

        folder.Dispose();
    }

    public async Task<JsonElement> GetAsync(string path)
    {
        using HttpResponseMessage response = await Client.GetAsync(
            new Uri(Address, path),
            TestContext.Current.CancellationToken
        );
        string text = await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken);
        Assert.True(response.StatusCode == HttpStatusCode.OK, $"{path}: {response.StatusCode} {text}");
        return JsonDocument.Parse(text).RootElement.Clone();
    }

    public Task<HttpResponseMessage> SendAsync(
        HttpMethod method,
        Uri address,
        params (string Name, string Value)[] headers
    )
    {
        using HttpRequestMessage request = new(method, address);
        foreach ((string name, string value) in headers)
        {
            Assert.True(request.Headers.TryAddWithoutValidation(name, value));
        }

        return Client.SendAsync(request, TestContext.Current.CancellationToken);
    }

    /// <summary>The number of an entry in a version, found from folder to folder.</summary>
    public async Task<int> NodeAsync(int version, string path)
    {
        int node = -1;
        foreach (string name in path.Split('/', StringSplitOptions.RemoveEmptyEntries))
        {
            JsonElement folder = await GetAsync(
                $"api/folder?version={version}&count=1000" + (node < 0 ? "" : $"&id={node}")
            );
            JsonElement entry = folder
                .GetProperty("entries")
                .EnumerateArray()
                .Single(entry => entry.GetProperty("name").GetString() == name);
            node = entry.GetProperty("id").GetInt32();
        }

        return node;
    }
}
