using System.Net;
using System.Text;
using System.Text.Json;
using Restore.Cli.Rendering;
using Restore.Web;

namespace Restore.Tests.Web;

/// <summary>Restores as the page asks for them.</summary>
public sealed class PageRestoreTests : IAsyncLifetime
{
    private readonly ServedBackup served = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public ValueTask InitializeAsync() => served.InitializeAsync();

    public ValueTask DisposeAsync() => served.DisposeAsync();

    [Fact]
    public async Task Files_of_one_version_are_restored_into_the_folder_and_kept_by_the_next_restore()
    {
        object request = await RequestAsync((0, "notes.txt"), (0, "many"));
        JsonElement plan = (await PostAsync("plan", request)).GetProperty("plan").EnumerateArray().Single();
        Assert.Equal((451, 451, 0, 0), Counts(plan));
        JsonElement done = await RunAsync();
        Assert.Equal("Done", done.GetProperty("state").GetString());
        Assert.Equal((0, 0, 0), Issues(done.GetProperty("report")));
        Assert.Equal("changed", await File.ReadAllTextAsync(Path.Join(served.Target, "notes.txt"), Cancellation));
        Assert.Equal(450, Directory.GetFiles(Path.Join(served.Target, "many")).Length);

        await File.WriteAllTextAsync(Path.Join(served.Target, "notes.txt"), "mine", Cancellation);
        JsonElement again = (await PostAsync("plan", request)).GetProperty("plan").EnumerateArray().Single();
        Assert.Equal((451, 0, 1, 450), Counts(again));
    }

    [Fact]
    public async Task Files_of_several_versions_go_into_a_folder_for_each()
    {
        JsonElement job = await PostAsync(
            "plan",
            await RequestAsync((0, "notes.txt"), (2, "notes.txt"), (1, "short-lived.txt"))
        );
        Assert.Equal(
            [0, 1, 2],
            job.GetProperty("plan").EnumerateArray().Select(part => part.GetProperty("version").GetInt32())
        );
        Assert.Equal("Done", (await RunAsync()).GetProperty("state").GetString());
        Assert.Equal(
            "changed",
            await File.ReadAllTextAsync(
                Path.Join(served.Target, ServedBackup.LocalName(2026, 1, 3, 12, 0), "notes.txt"),
                Cancellation
            )
        );
        Assert.Equal(
            "first",
            await File.ReadAllTextAsync(
                Path.Join(served.Target, ServedBackup.LocalName(2026, 1, 1, 12, 0), "notes.txt"),
                Cancellation
            )
        );
        Assert.Equal(
            "only on day 2",
            await File.ReadAllTextAsync(
                Path.Join(served.Target, ServedBackup.LocalName(2026, 1, 2, 12, 0), "short-lived.txt"),
                Cancellation
            )
        );
    }

    [Fact]
    public async Task Hostile_names_stay_in_the_folder()
    {
        await PostAsync("plan", await RequestAsync((0, "hostile")));
        Assert.Equal("Done", (await RunAsync()).GetProperty("state").GetString());
        string[] names =
        [
            .. Directory
                .GetFiles(served.Target, "*", SearchOption.AllDirectories)
                .Select(file => Path.GetFileName(file)!),
        ];
        Assert.Equal(ServedBackup.HostileNames.Order(StringComparer.Ordinal), names.Order(StringComparer.Ordinal));
    }

    [Fact]
    public async Task A_stopped_restore_is_not_started_again_and_the_next_plan_is_another_one()
    {
        await PostAsync("plan", await RequestAsync((0, "many")));
        Assert.Equal("Stopped", (await PostAsync("stop", null)).GetProperty("state").GetString());
        Assert.Equal(HttpStatusCode.Conflict, await StatusAsync("start", "{}"));
        Assert.Equal(HttpStatusCode.Conflict, await StatusAsync("pause", "{}"));
        Assert.False(Directory.Exists(served.Target));
        await PostAsync("plan", await RequestAsync((0, "many")));
        Assert.Equal("Done", (await RunAsync()).GetProperty("state").GetString());
    }

    [Fact]
    public async Task A_request_that_is_not_a_plan_is_refused()
    {
        Assert.Equal(HttpStatusCode.NotFound, await StatusAsync("start", "{}"));
        Assert.Equal(HttpStatusCode.BadRequest, await StatusAsync("plan", "no json"));
        Assert.Equal(HttpStatusCode.BadRequest, await StatusAsync("plan", "{}"));
        Assert.Equal(HttpStatusCode.BadRequest, await StatusAsync("plan", """{"picks":[]}"""));
        Assert.Equal(HttpStatusCode.NotFound, await StatusAsync("plan", """{"picks":[{"version":0,"id":99999999}]}"""));
        Assert.Equal(HttpStatusCode.BadRequest, await StatusAsync("plan", """{"picks":[null]}"""));
        Assert.Equal(HttpStatusCode.NotFound, await StatusAsync("plan", """{"picks":[{"version":0,"id":-5}]}"""));
        Assert.Equal(HttpStatusCode.NotFound, await StatusAsync("plan", """{"picks":[{"version":77,"id":1}]}"""));
    }

    [Fact]
    public async Task A_second_window_sees_the_restore_and_an_old_plan_is_not_started()
    {
        Assert.Equal(JsonValueKind.Null, (await served.GetAsync("api/restore")).ValueKind);
        int first = (await PostAsync("plan", await RequestAsync((0, "many")))).GetProperty("id").GetInt32();
        JsonElement second = await PostAsync("plan", await RequestAsync((0, "notes.txt")));
        Assert.NotEqual(first, second.GetProperty("id").GetInt32());
        Assert.Equal(HttpStatusCode.Conflict, await StatusAsync("start", $$"""{"id":{{first}}}"""));
        Assert.Equal("Planned", (await served.GetAsync("api/restore")).GetProperty("state").GetString());
        Assert.Equal("Done", (await RunAsync()).GetProperty("state").GetString());
        Assert.Equal("Done", (await served.GetAsync("api/restore")).GetProperty("state").GetString());
        Assert.Equal("Done", (await PostAsync("close", null)).GetProperty("state").GetString());
        Assert.Equal(JsonValueKind.Null, (await served.GetAsync("api/restore")).ValueKind);
    }

    [Fact]
    public async Task A_drill_reads_all_versions_and_writes_nothing()
    {
        JsonElement plan = await PostAsync("plan", new { picks = Array.Empty<object>(), isDrill = true });
        Assert.False(plan.TryGetProperty("target", out _));
        JsonElement report = (await RunAsync()).GetProperty("report");
        Assert.Equal((0, 0, 0), Issues(report));
        Assert.False(Directory.Exists(served.Target));
    }

    [Fact]
    public async Task Links_out_of_the_folder_are_left_out_without_a_loss_until_they_are_asked_for_and_the_report_can_be_saved()
    {
        using TempFolder folder = new();
        Directory.CreateDirectory(folder.In("source"));
        await File.WriteAllTextAsync(folder.In("source/notes.txt"), "mine", Cancellation);
        File.CreateSymbolicLink(folder.In("source/python"), "/usr/bin/python3");
        await new BackupWriter(
            new BackupWriterOptions { Sources = [folder.In("source")], Destination = folder.In("backup") }
        ).WriteAsync();
        await using Backup plain = await Backup.OpenAsync(folder.In("backup"), cancellationToken: Cancellation);
        await using BrowseServer server = await BrowseServer.StartAsync(
            plain,
            new BrowseOptions
            {
                RestoreFolder = folder.In("target"),
                ReportPage = (page, reports) => ReportHtml.Write(page, reports, new FakeClock()),
                TimeProvider = new FakeClock(),
            },
            Cancellation
        );
        using HttpResponseMessage early = await served.SendAsync(HttpMethod.Get, new Uri(server.Address, "report"));
        Assert.Equal(HttpStatusCode.NotFound, early.StatusCode);
        object[] picks = [new { version = 0, id = await RootAsync(server.Address) }];
        Assert.True(
            (await PostAsync("plan", new { picks }, server.Address)).GetProperty("leavesOutLinks").GetBoolean()
        );
        JsonElement report = (await RunAsync(server.Address)).GetProperty("report");
        Assert.Equal((0, 1, 0), Issues(report));
        Assert.True(report.GetProperty("canSave").GetBoolean());
        using HttpResponseMessage saved = await served.SendAsync(HttpMethod.Get, new Uri(server.Address, "report"));
        Assert.Equal("restore-report-2026-12-01-1200.html", saved.Content.Headers.ContentDisposition!.FileName);
        Assert.Contains(
            "sandbox",
            string.Concat(saved.Headers.GetValues("Content-Security-Policy")),
            StringComparison.Ordinal
        );
        Assert.Contains(
            "1 link was left out; nothing is lost",
            await saved.Content.ReadAsStringAsync(Cancellation),
            StringComparison.Ordinal
        );

        JsonElement again = await PostAsync("plan", new { picks, createLinks = true }, server.Address);
        Assert.Equal(
            (false, true),
            (again.GetProperty("leavesOutLinks").GetBoolean(), again.GetProperty("createsLinks").GetBoolean())
        );
        Assert.Equal((0, 0, 0), Issues((await RunAsync(server.Address)).GetProperty("report")));
        string[] restored = Directory.GetFileSystemEntries(folder.In("target"), "*", SearchOption.AllDirectories);
        Assert.Contains(restored, path => File.ResolveLinkTarget(path, false)?.FullName == "/usr/bin/python3");
    }

    [Fact]
    public async Task A_request_without_the_origin_of_the_page_starts_nothing()
    {
        using StringContent body = new("{}");
        using HttpResponseMessage response = await served.Client.PostAsync(
            new Uri(served.Address, "api/restore/start"),
            body,
            Cancellation
        );
        Assert.Equal(HttpStatusCode.Forbidden, response.StatusCode);
    }

    [Fact]
    public async Task Lost_ranges_are_reported_and_a_run_that_fails_says_why()
    {
        using TempFolder folder = new();
        await using Backup damaged = await Backup.OpenAsync(
            Fixtures.Backup("damaged/blocklist-lost-plain"),
            cancellationToken: Cancellation
        );
        await using BrowseServer server = await BrowseServer.StartAsync(
            damaged,
            new BrowseOptions { RestoreFolder = folder.Root },
            Cancellation
        );
        await PostAsync(
            "plan",
            new { picks = new[] { new { version = 0, id = await RootAsync(server.Address) } } },
            server.Address
        );
        JsonElement report = (await RunAsync(server.Address)).GetProperty("report");
        JsonElement lost = report.GetProperty("issues").GetProperty("groups").EnumerateArray().First();
        Assert.Equal("Lost", lost.GetProperty("severity").GetString());
        Assert.Contains(
            lost.GetProperty("entries").EnumerateArray(),
            entry => entry.GetProperty("lost").GetArrayLength() > 0
        );

        await using BrowseServer blocked = await BrowseServer.StartAsync(
            damaged,
            new BrowseOptions { RestoreFolder = "/dev/null/target" },
            Cancellation
        );
        using HttpResponseMessage plan = await SendAsync(
            "plan",
            JsonSerializer.Serialize(
                new { picks = new[] { new { version = 0, id = await RootAsync(blocked.Address) } } }
            ),
            blocked.Address
        );
        string answer = plan.IsSuccessStatusCode
            ? (await RunAsync(blocked.Address)).GetProperty("error").GetString()!
            : await plan.Content.ReadAsStringAsync(Cancellation);
        Assert.Contains("/dev/null", answer, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_folder_of_a_restore_that_is_done_is_shown_and_no_other()
    {
        Assert.Equal(HttpStatusCode.Conflict, await StatusAsync("show", "{}"));
        await PostAsync("plan", new { picks = Array.Empty<object>(), isDrill = true });
        Assert.False((await RunAsync()).GetProperty("report").GetProperty("canShow").GetBoolean());
        Assert.Equal(HttpStatusCode.Conflict, await StatusAsync("show", "{}"));

        await PostAsync("plan", await RequestAsync((0, "notes.txt")));
        Assert.True((await RunAsync()).GetProperty("report").GetProperty("canShow").GetBoolean());
        Assert.Equal(HttpStatusCode.OK, await StatusAsync("show", """{"folder":"/etc"}"""));
        Assert.Equal(served.Target, Assert.Single(served.Shown));
        served.WindowProblem = "there is no window";
        Assert.Equal(HttpStatusCode.Conflict, await StatusAsync("show", "{}"));
        Directory.Delete(served.Target, recursive: true);
        served.Shown.Clear();
        Assert.Equal(HttpStatusCode.Conflict, await StatusAsync("show", "{}"));
        Assert.Empty(served.Shown);
    }

    private static (int Lost, int LeftOut, int Warnings) Issues(JsonElement report)
    {
        JsonElement issues = report.GetProperty("issues");
        return (
            issues.GetProperty("lost").GetInt32(),
            issues.GetProperty("leftOut").GetInt32(),
            issues.GetProperty("warnings").GetInt32()
        );
    }

    private static (int Files, int New, int Replaced, int Kept) Counts(JsonElement part) =>
        (
            part.GetProperty("files").GetInt32(),
            part.GetProperty("newFiles").GetInt32(),
            part.GetProperty("replacedFiles").GetInt32(),
            part.GetProperty("keptFiles").GetInt32()
        );

    private async Task<int> RootAsync(Uri address)
    {
        string folder = await served.Client.GetStringAsync(new Uri(address, "api/folder?version=0"), Cancellation);
        return JsonDocument.Parse(folder).RootElement.GetProperty("entries")[0].GetProperty("id").GetInt32();
    }

    private async Task<object> RequestAsync(params (int Version, string Path)[] entries)
    {
        List<object> picks = [];
        foreach ((int version, string path) in entries)
        {
            picks.Add(new { version, id = await served.NodeAsync(version, $"{served.Source}/{path}") });
        }

        return new { picks, overwrite = true };
    }

    private async Task<JsonElement> PostAsync(string name, object? value, Uri? address = null)
    {
        using HttpResponseMessage response = await SendAsync(name, JsonSerializer.Serialize(value ?? new { }), address);
        string text = await response.Content.ReadAsStringAsync(Cancellation);
        Assert.True(response.IsSuccessStatusCode, text);
        return JsonDocument.Parse(text).RootElement.Clone();
    }

    private async Task<HttpStatusCode> StatusAsync(string name, string body)
    {
        using HttpResponseMessage response = await SendAsync(name, body);
        return response.StatusCode;
    }

    private async Task<HttpResponseMessage> SendAsync(string name, string body, Uri? address = null)
    {
        using HttpRequestMessage request = new(
            HttpMethod.Post,
            new Uri(address ?? served.Address, $"api/restore/{name}")
        )
        {
            Content = new StringContent(body, Encoding.UTF8, "application/json"),
        };
        request.Headers.Add("Origin", (address ?? served.Address).GetLeftPart(UriPartial.Authority));
        return await served.Client.SendAsync(request, Cancellation);
    }

    /// <summary>Starts the restore, and reads its events to their end.</summary>
    private async Task<JsonElement> RunAsync(Uri? address = null)
    {
        await PostAsync("start", null, address);
        string events = await served.Client.GetStringAsync(
            new Uri(address ?? served.Address, "api/restore/events"),
            Cancellation
        );
        string last = events.Split('\n').Last(line => line.StartsWith("data: {", StringComparison.Ordinal));
        return JsonDocument.Parse(last["data: ".Length..]).RootElement.Clone();
    }
}
