using System.IO.Compression;
using System.Net;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using Restore.Web;

namespace Restore.Tests.Web;

/// <summary>What the page asks for.</summary>
public sealed class BrowseServerTests(ServedBackup served) : IClassFixture<ServedBackup>
{
    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    public async Task A_long_folder_comes_in_pages_and_in_the_chosen_order()
    {
        int many = await served.NodeAsync(0, $"{served.Source}/many");
        JsonElement page = await served.GetAsync($"api/folder?version=0&id={many}&offset=400&count=100");
        Assert.Equal(450, page.GetProperty("total").GetInt32());
        Assert.Equal(Enumerable.Range(400, 50).Select(i => $"file {i:000}.txt"), Names(page));
        JsonElement largest = await served.GetAsync($"api/folder?version=0&id={many}&sort=size&order=desc&count=3");
        Assert.Equal(["file 449.txt", "file 448.txt", "file 447.txt"], Names(largest));
        Assert.Equal(Path.Join(served.Source, "many"), page.GetProperty("path").GetString());
    }

    [Fact]
    public async Task A_folder_has_the_sizes_and_the_files_of_everything_below()
    {
        int source = await served.NodeAsync(0, served.Source);
        JsonElement many = Entries(await served.GetAsync($"api/folder?version=0&id={source}"))
            .Single(entry => entry.GetProperty("name").GetString() == "many");
        Assert.Equal(450, many.GetProperty("files").GetInt32());
        Assert.Equal(Enumerable.Range(0, 450).Sum(), many.GetProperty("bytes").GetInt32());
    }

    [Fact]
    public async Task A_version_has_the_files_of_its_time()
    {
        Assert.DoesNotContain(
            "short-lived.txt",
            Names(await served.GetAsync($"api/folder?version=0&id={await served.NodeAsync(0, served.Source)}"))
        );
        Assert.Contains(
            "short-lived.txt",
            Names(await served.GetAsync($"api/folder?version=1&id={await served.NodeAsync(1, served.Source)}"))
        );
        int gone = await served.NodeAsync(1, $"{served.Source}/short-lived.txt");
        using HttpResponseMessage response = await served.SendAsync(
            HttpMethod.Get,
            new Uri(served.Address, $"file?version=0&id={gone}")
        );
        Assert.Equal(HttpStatusCode.NotFound, response.StatusCode);
    }

    [Fact]
    public async Task A_search_says_in_how_many_versions_a_file_is_and_with_how_many_contents()
    {
        JsonElement found = await SearchAsync("NOTES");
        JsonElement notes = Entries(found).Single();
        Assert.Equal((3, 2), (notes.GetProperty("versions").GetInt32(), notes.GetProperty("contents").GetInt32()));
        JsonElement entry = await served.GetAsync($"api/entry?id={notes.GetProperty("id").GetInt32()}");
        Assert.Equal(
            [(0, 0, 0), (1, 2, 1)],
            entry
                .GetProperty("spans")
                .EnumerateArray()
                .Select(span =>
                    (
                        span.GetProperty("newest").GetInt32(),
                        span.GetProperty("oldest").GetInt32(),
                        span.GetProperty("content").GetInt32()
                    )
                )
        );
        Assert.Equal(1, Entries(await SearchAsync("short-lived")).Single().GetProperty("version").GetInt32());
        Assert.Equal(450, (await SearchAsync("/many/ .txt")).GetProperty("total").GetInt32());
        Assert.Equal(0, (await SearchAsync("there is no such file")).GetProperty("total").GetInt32());
    }

    [Theory]
    [InlineData(null, 0, 300_000)]
    [InlineData("bytes=0-0", 0, 1)]
    [InlineData("bytes=100000-299999", 100_000, 200_000)]
    [InlineData("bytes=299990-", 299_990, 10)]
    [InlineData("bytes=-7", 299_993, 7)]
    [InlineData("bytes=0-1,5-6", 0, 300_000)]
    [InlineData("lines=1-2", 0, 300_000)]
    public async Task A_file_is_sent_whole_or_in_part(string? range, int offset, int count)
    {
        int node = await served.NodeAsync(0, $"{served.Source}/large.bin");
        using HttpResponseMessage response = await served.SendAsync(
            HttpMethod.Get,
            new Uri(served.Address, $"file?version=0&id={node}"),
            range is null ? [] : [("Range", range)]
        );
        Assert.Equal(count == 300_000 ? HttpStatusCode.OK : HttpStatusCode.PartialContent, response.StatusCode);
        byte[] expected = await File.ReadAllBytesAsync(Path.Join(served.Source, "large.bin"), Cancellation);
        Assert.Equal(expected.Skip(offset).Take(count), await response.Content.ReadAsByteArrayAsync(Cancellation));
        Assert.Equal("attachment", response.Content.Headers.ContentDisposition!.DispositionType);
        Assert.Contains(
            "sandbox",
            string.Concat(response.Headers.GetValues("Content-Security-Policy")),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task A_range_behind_the_end_is_refused_with_the_length()
    {
        int node = await served.NodeAsync(0, $"{served.Source}/large.bin");
        using HttpResponseMessage response = await served.SendAsync(
            HttpMethod.Get,
            new Uri(served.Address, $"file?version=0&id={node}"),
            ("Range", "bytes=300000-")
        );
        Assert.Equal(HttpStatusCode.RequestedRangeNotSatisfiable, response.StatusCode);
        Assert.Equal(new ContentRangeHeaderValue(300_000), response.Content.Headers.ContentRange);
    }

    [Fact]
    public async Task Each_file_with_a_hostile_name_is_listed_and_sent_under_that_name()
    {
        int folder = await served.NodeAsync(0, $"{served.Source}/hostile");
        JsonElement page = await served.GetAsync($"api/folder?version=0&id={folder}");
        Assert.Equal(
            ServedBackup.HostileNames.Order(StringComparer.Ordinal),
            Names(page).Order(StringComparer.Ordinal)
        );
        foreach (JsonElement entry in Entries(page))
        {
            string name = entry.GetProperty("name").GetString()!;
            using HttpResponseMessage response = await served.SendAsync(
                HttpMethod.Get,
                new Uri(served.Address, $"file?version=0&id={entry.GetProperty("id").GetInt32()}")
            );
            Assert.Equal($"content of {name}", await response.Content.ReadAsStringAsync(Cancellation));
            Assert.False(response.Headers.Contains("Set-Cookie"));
        }
    }

    [Fact]
    public async Task The_details_of_a_file_have_its_hash_permissions_and_cost()
    {
        JsonElement details = await served.GetAsync(
            $"api/details?version=0&id={await served.NodeAsync(0, $"{served.Source}/large.bin")}"
        );
        byte[] content = await File.ReadAllBytesAsync(Path.Join(served.Source, "large.bin"), Cancellation);
        Assert.Equal(
            Convert.ToHexStringLower(System.Security.Cryptography.SHA256.HashData(content)),
            details.GetProperty("hash").GetString()
        );
        Assert.Matches("^[rwx-]{9}$", details.GetProperty("mode").GetString());
        JsonElement cost = await served.GetAsync(
            $"api/cost?version=0&id={await served.NodeAsync(0, $"{served.Source}/large.bin")}"
        );
        Assert.True(cost.GetProperty("bytesToFetch").GetInt64() >= 300_000);
        Assert.NotEmpty(cost.GetProperty("firstVolumes").EnumerateArray());
        Assert.False(cost.TryGetProperty("cost", out _));
        JsonElement link = await served.GetAsync(
            $"api/details?version=0&id={await served.NodeAsync(0, $"{served.Source}/link")}"
        );
        Assert.Equal("/etc/passwd", link.GetProperty("linkTarget").GetString());
    }

    [Fact]
    public async Task The_files_that_differ_from_the_version_before_are_named()
    {
        Assert.Equal("Changed notes.txt, Removed short-lived.txt", await ChangesAsync(0));
        Assert.Equal("Added short-lived.txt", await ChangesAsync(1));
        using HttpResponseMessage oldest = await served.SendAsync(
            HttpMethod.Get,
            new Uri(served.Address, "api/changes?version=2")
        );
        Assert.Equal(HttpStatusCode.Conflict, oldest.StatusCode);

        async Task<string> ChangesAsync(int version)
        {
            JsonElement answer = await served.GetAsync($"api/changes?version={version}");
            string[] named =
            [
                .. answer
                    .GetProperty("entries")
                    .EnumerateArray()
                    .Select(entry =>
                        $"{entry.GetProperty("change").GetString()} {Path.GetFileName(entry.GetProperty("path").GetString())}"
                    ),
            ];
            Assert.Equal(named.Length, answer.GetProperty("total").GetInt32());
            return string.Join(", ", named);
        }
    }

    [Fact]
    public async Task A_folder_is_sent_as_an_archive_that_begins_with_it_and_is_named_by_it_and_local_time()
    {
        int many = await served.NodeAsync(0, $"{served.Source}/many");
        using HttpResponseMessage answer = await served.SendAsync(
            HttpMethod.Get,
            new Uri(served.Address, $"zip?version=0&id={many}")
        );
        Assert.Equal(
            $"many {ServedBackup.LocalName(2026, 1, 3, 12, 0)}.zip",
            answer.Content.Headers.ContentDisposition!.FileNameStar
        );
        await using Stream body = await answer.Content.ReadAsStreamAsync(Cancellation);
        using MemoryStream copy = new();
        await body.CopyToAsync(copy, Cancellation);
        await using ZipArchive archive = new(copy);
        Assert.All(archive.Entries, entry => Assert.StartsWith("many/", entry.FullName, StringComparison.Ordinal));
        Assert.Equal(
            450,
            archive.Entries.Count(entry => entry.FullName.StartsWith("many/file", StringComparison.Ordinal))
        );
        using StreamReader last = new(
            await archive.GetEntry("many/file 449.txt")!.OpenAsync(Cancellation),
            Encoding.UTF8
        );
        Assert.Equal(new string('x', 449), await last.ReadToEndAsync(Cancellation));
    }

    [Fact]
    public async Task A_file_without_its_recorded_hash_is_not_sent_whole_even_after_a_part_of_it()
    {
        await using Backup damaged = await Backup.OpenAsync(
            Fixtures.Backup("damaged/file-hash-wrong-plain"),
            cancellationToken: Cancellation
        );
        await using BrowseServer server = await BrowseServer.StartAsync(damaged, cancellationToken: Cancellation);
        Uri file = new(server.WebDavAddress, "latest/tmp/fx/src/damaged-base-plain/data/letters/v1.txt");
        using HttpResponseMessage part = await served.SendAsync(HttpMethod.Get, file, ("Range", "bytes=0-9"));
        Assert.Equal(10, (await part.Content.ReadAsByteArrayAsync(Cancellation)).Length);
        Exception failure = await Assert.ThrowsAnyAsync<Exception>(() =>
            served.Client.GetByteArrayAsync(file, Cancellation)
        );
        Assert.True(failure is HttpRequestException or IOException, failure.ToString());
        using HttpResponseMessage other = await served.SendAsync(HttpMethod.Get, new Uri(file, "short-v1.txt"));
        Assert.Equal(201, (await other.Content.ReadAsByteArrayAsync(Cancellation)).Length);
    }

    [Fact]
    public async Task The_timeline_says_what_changed_from_version_to_version()
    {
        await SearchAsync("notes");
        JsonElement[] versions = [.. (await served.GetAsync("api/backup")).GetProperty("versions").EnumerateArray()];
        Assert.Equal(
            [(0, 1, 1, 7, 13), (1, 0, 0, 13, 0)],
            versions[..2]
                .Select(version => version.GetProperty("change"))
                .Select(change =>
                    (
                        change.GetProperty("added").GetInt32(),
                        change.GetProperty("changed").GetInt32(),
                        change.GetProperty("removed").GetInt32(),
                        change.GetProperty("bytesNew").GetInt32(),
                        change.GetProperty("bytesGone").GetInt32()
                    )
                )
        );
        Assert.False(versions[2].TryGetProperty("change", out _));
    }

    [Fact]
    public async Task An_entry_is_found_by_its_path()
    {
        JsonElement found = await served.GetAsync(
            $"api/find?version=1&path={Uri.EscapeDataString($"{served.Source}/short-lived.txt")}"
        );
        Assert.Equal(await served.NodeAsync(1, $"{served.Source}/short-lived.txt"), found.GetProperty("id").GetInt32());
        Assert.Equal(await served.NodeAsync(1, served.Source), found.GetProperty("folder").GetInt32());
        Uri gone = new(
            served.Address,
            $"api/find?version=0&path={Uri.EscapeDataString($"{served.Source}/short-lived.txt")}"
        );
        using HttpResponseMessage response = await served.SendAsync(HttpMethod.Get, gone);
        Assert.Equal(HttpStatusCode.NotFound, response.StatusCode);
    }

    [Fact]
    public async Task A_list_that_could_not_be_read_is_read_by_the_next_request()
    {
        using TempFolder folder = new();
        await new BackupWriter(
            new BackupWriterOptions { Sources = [Path.Join(served.Source, "hostile")], Destination = folder.Root }
        ).WriteAsync();
        await using Backup backup = await Backup.OpenAsync(folder.Root, cancellationToken: Cancellation);
        await using BrowseServer server = await BrowseServer.StartAsync(backup, cancellationToken: Cancellation);
        string list = Directory.GetFiles(folder.Root, "*.dlist.zip").Single();
        File.Move(list, $"{list}.away");
        Uri address = new(server.Address, "api/folder?version=0");
        using HttpResponseMessage failed = await served.SendAsync(HttpMethod.Get, address);
        Assert.Equal(HttpStatusCode.InternalServerError, failed.StatusCode);
        File.Move($"{list}.away", list);
        using HttpResponseMessage read = await served.SendAsync(HttpMethod.Get, address);
        Assert.Equal(HttpStatusCode.OK, read.StatusCode);
    }

    private static JsonElement[] Entries(JsonElement page) => [.. page.GetProperty("entries").EnumerateArray()];

    private static IEnumerable<string> Names(JsonElement page) =>
        Entries(page).Select(entry => entry.GetProperty("name").GetString()!);

    /// <summary>Searches again until all versions are read.</summary>
    private async Task<JsonElement> SearchAsync(string text)
    {
        while (true)
        {
            JsonElement found = await served.GetAsync($"api/search?text={Uri.EscapeDataString(text)}");
            if (found.GetProperty("versionsLeft").GetInt32() == 0)
            {
                Assert.Equal(3, found.GetProperty("versionsRead").GetInt32());
                return found;
            }

            await Task.Delay(20, Cancellation);
        }
    }
}
