using System.Net;
using System.Text;
using System.Text.Json;
using Restore.Cli.Commands;
using Restore.Web;

namespace Restore.Tests.Web;

/// <summary>Where the page may restore to: the folder of the start and those below it.</summary>
public sealed class TargetFoldersTests : IAsyncLifetime
{
    private readonly ServedBackup served = new();

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    public async ValueTask InitializeAsync()
    {
        await served.InitializeAsync();
        Directory.CreateDirectory(Path.Join(served.Target, "October", "second"));
        Directory.CreateDirectory(Path.Join(served.Target, "September"));
        await File.WriteAllTextAsync(Path.Join(served.Target, "a file"), "mine");
        File.CreateSymbolicLink(Path.Join(served.Target, "out"), "/");
    }

    public ValueTask DisposeAsync() => served.DisposeAsync();

    [Fact]
    public async Task The_folders_of_the_start_are_listed_without_files_and_links()
    {
        JsonElement root = await served.GetAsync("api/targets");
        Assert.Equal(served.Target, root.GetProperty("folder").GetString());
        Assert.Equal(
            ["October", "September"],
            root.GetProperty("folders").EnumerateArray().Select(name => name.GetString())
        );
        Assert.True(root.GetProperty("freeBytes").GetInt64() > 0);
        Assert.Equal(
            ["second"],
            (await served.GetAsync("api/targets?path=October"))
                .GetProperty("folders")
                .EnumerateArray()
                .Select(name => name.GetString())
        );
        JsonElement later = await served.GetAsync("api/targets?path=October/not/there/yet");
        Assert.Equal(
            (0, Path.Join(served.Target, "October/not/there/yet")),
            (later.GetProperty("total").GetInt32(), later.GetProperty("folder").GetString())
        );

        // An absolute path is one below the folder.
        Assert.Equal(
            Path.Join(served.Target, "etc"),
            (await served.GetAsync("api/targets?path=/etc")).GetProperty("folder").GetString()
        );
    }

    [Theory]
    [InlineData("..")]
    [InlineData("October/../../elsewhere")]
    [InlineData("./October")]
    [InlineData("out")]
    [InlineData("out/etc")]
    [InlineData("October\\..\\..")]
    [InlineData("nul\0")]
    [InlineData("a file")]
    [InlineData("a file/below")]
    public async Task A_path_that_leads_out_is_refused_for_a_look_and_for_a_restore(string path)
    {
        using HttpResponseMessage look = await served.SendAsync(
            HttpMethod.Get,
            new Uri(served.Address, $"api/targets?path={Uri.EscapeDataString(path)}")
        );
        Assert.Equal(HttpStatusCode.Conflict, look.StatusCode);
        using HttpResponseMessage plan = await PostAsync("plan", await RequestAsync(path));
        Assert.Equal(HttpStatusCode.Conflict, plan.StatusCode);
    }

    [Fact]
    public async Task Files_go_into_the_chosen_folder_and_the_plan_names_it()
    {
        using HttpResponseMessage plan = await PostAsync("plan", await RequestAsync("October/third"));
        Assert.Equal(
            Path.Join(served.Target, "October/third"),
            (await BodyAsync(plan)).GetProperty("target").GetString()
        );
        using HttpResponseMessage start = await PostAsync("start", new { });
        Assert.Equal(HttpStatusCode.OK, start.StatusCode);
        await served.Client.GetStringAsync(new Uri(served.Address, "api/restore/events"), Cancellation);
        Assert.Equal(
            "changed",
            await File.ReadAllTextAsync(Path.Join(served.Target, "October/third/notes.txt"), Cancellation)
        );
    }

    [Fact]
    public async Task A_link_that_takes_the_place_of_the_folder_after_the_plan_is_not_followed()
    {
        using TempFolder elsewhere = new();
        using HttpResponseMessage plan = await PostAsync("plan", await RequestAsync("October/second"));
        Assert.Equal(HttpStatusCode.OK, plan.StatusCode);
        Directory.Delete(Path.Join(served.Target, "October/second"));
        File.CreateSymbolicLink(Path.Join(served.Target, "October/second"), elsewhere.Path);
        using HttpResponseMessage start = await PostAsync("start", new { });
        Assert.Equal(HttpStatusCode.Conflict, start.StatusCode);
        Assert.Contains(
            "is a link",
            (await BodyAsync(start)).GetProperty("error").GetString(),
            StringComparison.Ordinal
        );
        Assert.Empty(Directory.GetFileSystemEntries(elsewhere.Path));
    }

    [Fact]
    public async Task The_folder_of_the_backup_is_no_target_and_without_a_folder_there_is_none()
    {
        string location = Fixtures.Backup("plain-1mb");
        await using Backup backup = await Backup.OpenAsync(location, cancellationToken: Cancellation);
        BrowseOptions options = new()
        {
            RestoreFolder = Path.GetDirectoryName(location),
            RefuseTarget = target => TargetPlace.Refusal(target, location),
        };
        await using BrowseServer around = await BrowseServer.StartAsync(backup, options, Cancellation);
        using HttpResponseMessage inside = await served.SendAsync(
            HttpMethod.Get,
            new Uri(around.Address, $"api/targets?path={Path.GetFileName(location)}")
        );
        Assert.Contains(
            "is in the folder of the backup",
            (await BodyAsync(inside)).GetProperty("error").GetString(),
            StringComparison.Ordinal
        );

        await using BrowseServer looking = await BrowseServer.StartAsync(backup, cancellationToken: Cancellation);
        using HttpResponseMessage none = await served.SendAsync(
            HttpMethod.Get,
            new Uri(looking.Address, "api/targets")
        );
        Assert.Contains(
            "--restore-path=FOLDER",
            (await BodyAsync(none)).GetProperty("error").GetString(),
            StringComparison.Ordinal
        );
    }

    private static async Task<JsonElement> BodyAsync(HttpResponseMessage response) =>
        JsonDocument.Parse(await response.Content.ReadAsStringAsync(Cancellation)).RootElement.Clone();

    private async Task<object> RequestAsync(string folder) =>
        new
        {
            picks = new[] { new { version = 0, id = await served.NodeAsync(0, $"{served.Source}/notes.txt") } },
            folder,
        };

    private async Task<HttpResponseMessage> PostAsync(string name, object body)
    {
        using HttpRequestMessage request = new(HttpMethod.Post, new Uri(served.Address, $"api/restore/{name}"))
        {
            Content = new StringContent(JsonSerializer.Serialize(body), Encoding.UTF8, "application/json"),
        };
        request.Headers.Add("Origin", served.Address.GetLeftPart(UriPartial.Authority));
        return await served.Client.SendAsync(request, Cancellation);
    }
}
