using System.Net;
using System.Net.Http.Json;
using System.Text.Json;
using Restore.Cli.Commands;
using Restore.Tests.Web.Browser;
using Restore.Web;

namespace Restore.Tests.Web;

/// <summary>Restores from the page to the places that entries had.</summary>
public sealed class OriginalPlacesTests : IAsyncLifetime
{
    private readonly TempFolder folder = new();
    private readonly HttpClient client = new(new SocketsHttpHandler { UseProxy = false });
    private Backup? backup;

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    private string Notes => folder.In("home/notes.txt");

    private string Letter => folder.In("home/letter.txt");

    public async ValueTask InitializeAsync()
    {
        Directory.CreateDirectory(folder.In("home"));
        for (int day = 1; day <= 2; day++)
        {
            await File.WriteAllTextAsync(Notes, $"notes of day {day}");
            await File.WriteAllTextAsync(Letter, "a letter");
            File.SetLastWriteTimeUtc(Notes, new DateTime(2026, 1, day, 8, 0, 0, DateTimeKind.Utc));
            await new BackupWriter(
                new BackupWriterOptions
                {
                    Sources = [folder.In("home")],
                    Destination = folder.In("backup"),
                    Time = new DateTimeOffset(2026, 1, day, 12, 0, 0, TimeSpan.Zero),
                }
            ).WriteAsync();
        }

        File.Delete(Letter);
        await File.WriteAllTextAsync(Notes, "mine");
        backup = await Backup.OpenAsync(folder.In("backup"));
    }

    public async ValueTask DisposeAsync()
    {
        client.Dispose();
        if (backup is not null)
        {
            await backup.DisposeAsync();
        }

        folder.Dispose();
    }

    [Fact]
    public async Task A_page_that_was_not_started_for_it_writes_to_no_original_place()
    {
        await using BrowseServer server = await ServeAsync(isAllowed: false);
        HttpResponseMessage answer = await PostAsync(
            server,
            "plan",
            new { picks = new[] { await PickAsync(server, 0, Letter) }, isOriginal = true }
        );
        Assert.Equal(HttpStatusCode.Conflict, answer.StatusCode);
        Assert.Contains("--allow-original-places", await answer.Content.ReadAsStringAsync(Cancellation));

        // Nor does a page without a folder write to one.
        answer = await PostAsync(server, "plan", new { picks = new[] { await PickAsync(server, 0, Letter) } });
        Assert.Equal(HttpStatusCode.Conflict, answer.StatusCode);
        Assert.False(File.Exists(Letter));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task Entries_go_back_once_it_is_confirmed_and_what_differs_there_is_replaced_only_if_asked_for(
        bool overwrite
    )
    {
        await using BrowseServer server = await ServeAsync();
        object[] picks = [await PickAsync(server, 0, Notes), await PickAsync(server, 0, Letter)];
        JsonElement job = await JobAsync(
            await PostAsync(
                server,
                "plan",
                new
                {
                    picks,
                    overwrite,
                    isOriginal = true,
                }
            )
        );
        Assert.Equal("the original places", job.GetProperty("target").GetString());
        JsonElement part = job.GetProperty("plan").EnumerateArray().Single();
        Assert.Equal(folder.In("home") + "/", part.GetProperty("target").GetString());
        Assert.Equal(
            overwrite ? (1, 1) : (2, 0),
            (part.GetProperty("newFiles").GetInt32(), part.GetProperty("replacedFiles").GetInt32())
        );
        int id = job.GetProperty("id").GetInt32();
        HttpResponseMessage answer = await PostAsync(server, "start", new { id });
        Assert.Equal(HttpStatusCode.Conflict, answer.StatusCode);
        Assert.False(File.Exists(Letter));
        await JobAsync(await PostAsync(server, "start", new { id, isConfirmed = true }));
        job = await EndAsync(server);
        Assert.Equal("Done", job.GetProperty("state").GetString());
        Assert.Equal("a letter", await File.ReadAllTextAsync(Letter, Cancellation));
        Assert.Equal(overwrite ? "notes of day 2" : "mine", await File.ReadAllTextAsync(Notes, Cancellation));
        Assert.Equal(overwrite ? 2 : 3, Directory.GetFiles(folder.In("home")).Length);
    }

    [Fact]
    public async Task Entries_go_where_a_link_above_them_leads()
    {
        Directory.CreateDirectory(folder.In("var"));
        Directory.Move(folder.In("home"), folder.In("var/home"));
        Directory.CreateSymbolicLink(folder.In("home"), "var/home");
        await using BrowseServer server = await ServeAsync();
        JsonElement job = await JobAsync(
            await PostAsync(
                server,
                "plan",
                new { picks = new[] { await PickAsync(server, 0, Letter) }, isOriginal = true }
            )
        );
        int id = job.GetProperty("id").GetInt32();
        Assert.Equal(
            folder.In("var/home") + "/",
            job.GetProperty("plan").EnumerateArray().Single().GetProperty("target").GetString()
        );
        await JobAsync(await PostAsync(server, "start", new { id, isConfirmed = true }));
        Assert.Equal("Done", (await EndAsync(server)).GetProperty("state").GetString());
        Assert.Equal("a letter", await File.ReadAllTextAsync(folder.In("var/home/letter.txt"), Cancellation));
    }

    [Fact]
    public async Task Entries_of_several_versions_have_no_original_places_of_their_own()
    {
        await using BrowseServer server = await ServeAsync();
        HttpResponseMessage answer = await PostAsync(
            server,
            "plan",
            new
            {
                picks = new[] { await PickAsync(server, 0, Notes), await PickAsync(server, 1, Notes) },
                isOriginal = true,
            }
        );
        Assert.Equal(HttpStatusCode.Conflict, answer.StatusCode);
        Assert.Contains("of one version", await answer.Content.ReadAsStringAsync(Cancellation));
    }

    [Fact]
    public async Task What_was_in_the_folder_of_the_backup_stays_away_from_it()
    {
        await using BrowseServer server = await ServeAsync(refused: folder.In("home"));
        HttpResponseMessage answer = await PostAsync(
            server,
            "plan",
            new { picks = new[] { await PickAsync(server, 0, Letter) }, isOriginal = true }
        );
        Assert.Equal(HttpStatusCode.Conflict, answer.StatusCode);
        Assert.Contains("is in the folder of the backup", await answer.Content.ReadAsStringAsync(Cancellation));
    }

    [Fact]
    public async Task The_page_asks_before_it_writes_and_says_what_is_replaced()
    {
        await using BrowseServer server = await ServeAsync();
        await using Chromium browser = await Chromium.StartAsync();
        await using Tab tab = await browser.OpenAsync(server.Address);
        await tab.UntilAsync("document.querySelectorAll('.row .name').length === 2");
        await tab.ClickAsync("#pick-all");
        await tab.UntilAsync("document.querySelector('#restore').innerText.includes('to the original places')");
        await tab.EvalAsync("document.querySelector('.options summary').click()");
        Assert.DoesNotContain(
            "Full paths",
            await tab.TextAsync("document.querySelector('#restore')"),
            StringComparison.Ordinal
        );
        await tab.EvalAsync("document.querySelector('.options input').click()");
        await tab.ClickAsync("#plan");
        await tab.UntilAsync("document.querySelector('#start')");
        await tab.ClickAsync("#start");
        await tab.UntilAsync(
            "document.querySelector('dialog')?.innerText.includes('1 file there differs and is replaced.')"
        );
        await tab.PressAsync("Escape");
        await tab.UntilAsync("!document.querySelector('dialog')");
        Assert.Equal("mine", await File.ReadAllTextAsync(Notes, Cancellation));
        await tab.ClickAsync("#start");
        await tab.UntilAsync("document.querySelector('#confirm')");
        await tab.ClickAsync("#confirm");
        await tab.UntilAsync("document.querySelector('#restore').innerText.includes('Everything is restored')");
        Assert.Equal("notes of day 2", await File.ReadAllTextAsync(Notes, Cancellation));
        Assert.Equal("a letter", await File.ReadAllTextAsync(Letter, Cancellation));
    }

    private Task<BrowseServer> ServeAsync(bool isAllowed = true, string? refused = null) =>
        BrowseServer.StartAsync(
            backup!,
            new BrowseOptions
            {
                AllowOriginalPlaces = isAllowed,
                RefuseTarget = target => TargetPlace.Refusal(target, refused ?? backup!.Location),
            },
            Cancellation
        );

    private async Task<object> PickAsync(BrowseServer server, int version, string path)
    {
        string found = await client.GetStringAsync(
            new Uri(server.Address, $"api/find?version={version}&path={Uri.EscapeDataString(path)}"),
            Cancellation
        );
        return new { version, id = JsonDocument.Parse(found).RootElement.GetProperty("id").GetInt32() };
    }

    private async Task<HttpResponseMessage> PostAsync(BrowseServer server, string change, object body)
    {
        using HttpRequestMessage request = new(HttpMethod.Post, new Uri(server.Address, $"api/restore/{change}"));
        request.Headers.Add("Origin", server.Address.GetLeftPart(UriPartial.Authority));
        request.Content = JsonContent.Create(body);
        return await client.SendAsync(request, Cancellation);
    }

    private async Task<JsonElement> EndAsync(BrowseServer server)
    {
        JsonElement job;
        do
        {
            await Task.Delay(20, Cancellation);
            job = await client.GetFromJsonAsync<JsonElement>(new Uri(server.Address, "api/restore"), Cancellation);
        } while (job.GetProperty("state").GetString() == "Running");
        return job;
    }

    private static async Task<JsonElement> JobAsync(HttpResponseMessage answer)
    {
        string text = await answer.Content.ReadAsStringAsync(Cancellation);
        Assert.True(answer.StatusCode == HttpStatusCode.OK, text);
        return JsonDocument.Parse(text).RootElement;
    }
}
