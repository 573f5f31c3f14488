using System.Diagnostics;
using System.Net;
using System.Xml.Linq;
using Restore.Tests.Support.Machine;

namespace Restore.Tests.Web;

/// <summary>The WebDAV server, asked by rclone and by hand.</summary>
public sealed class WebDavTests(ServedBackup served) : IClassFixture<ServedBackup>
{
    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Fact]
    [NeedsPrograms(".ci/install-servers", "rclone")]
    public async Task What_rclone_copies_is_what_was_backed_up()
    {
        using TempFolder copy = new();
        string path = $"latest{served.Source}";
        await RcloneAsync("copy", $":webdav:{path}", copy.Root);

        // Some names cannot be a part of an address, or of rclone's idea of a path.
        string[] expected =
        [
            .. Files(served.Source).Where(file => !file.StartsWith("hostile/", StringComparison.Ordinal)),
        ];
        Assert.Equal(expected, Files(copy.Root).Where(file => !file.StartsWith("hostile/", StringComparison.Ordinal)));
        Assert.All(
            expected,
            file => Assert.Equal(File.ReadAllBytes(Path.Join(served.Source, file)), File.ReadAllBytes(copy.In(file)))
        );
        Assert.True(Files(copy.In("hostile")).Length >= ServedBackup.HostileNames.Length - 4);
        Assert.Equal(
            File.GetLastWriteTimeUtc(Path.Join(served.Source, "large.bin")),
            File.GetLastWriteTimeUtc(copy.In("large.bin")),
            TimeSpan.FromSeconds(1)
        );
    }

    [Fact]
    [NeedsPrograms(".ci/install-servers", "rclone")]
    public async Task Each_version_is_a_folder_with_the_files_of_its_time()
    {
        Assert.Equal(["latest/", "versions/"], await ListAsync(""));
        Assert.Equal(
            ["2026-01-01T12-00-00Z/", "2026-01-02T12-00-00Z/", "2026-01-03T12-00-00Z/"],
            await ListAsync("versions")
        );
        Assert.Contains("short-lived.txt", await ListAsync($"versions/2026-01-02T12-00-00Z{served.Source}"));
        Assert.DoesNotContain("short-lived.txt", await ListAsync($"versions/2026-01-03T12-00-00Z{served.Source}"));
        Assert.Equal(
            "first",
            await RcloneAsync("cat", $":webdav:versions/2026-01-01T12-00-00Z{served.Source}/notes.txt")
        );
        Assert.Equal(
            "irst",
            await RcloneAsync("cat", "--offset", "1", $":webdav:versions/2026-01-01T12-00-00Z{served.Source}/notes.txt")
        );
    }

    [Fact]
    public async Task A_client_learns_that_it_can_read_only()
    {
        using HttpResponseMessage options = await served.SendAsync(HttpMethod.Options, served.WebDavAddress);
        Assert.Equal(["1"], options.Headers.GetValues("DAV"));
        Assert.Equal(["GET", "HEAD", "OPTIONS", "PROPFIND"], options.Content.Headers.Allow.Order());
        foreach (string method in new[] { "PUT", "DELETE", "MKCOL", "MOVE", "COPY", "PROPPATCH", "LOCK", "POST" })
        {
            using HttpResponseMessage response = await served.SendAsync(
                new HttpMethod(method),
                new Uri(served.WebDavAddress, "latest/new"),
                ("Origin", served.Address.GetLeftPart(UriPartial.Authority))
            );
            Assert.Equal(HttpStatusCode.MethodNotAllowed, response.StatusCode);
        }
    }

    [Theory]
    [InlineData("infinity", HttpStatusCode.Forbidden)]
    [InlineData("2", HttpStatusCode.Forbidden)]
    [InlineData("0", HttpStatusCode.MultiStatus)]
    [InlineData("1", HttpStatusCode.MultiStatus)]
    public async Task One_level_is_listed_at_a_time(string depth, HttpStatusCode expected)
    {
        using HttpResponseMessage response = await served.SendAsync(
            new HttpMethod("PROPFIND"),
            served.WebDavAddress,
            ("Depth", depth)
        );
        Assert.Equal(expected, response.StatusCode);
    }

    [Theory]
    [InlineData("nothing")]
    [InlineData("versions/2020-01-01T00-00-00Z/")]
    [InlineData("latest/no/such/file")]
    public async Task What_is_not_there_is_not_found(string path)
    {
        using HttpResponseMessage response = await served.SendAsync(
            new HttpMethod("PROPFIND"),
            new Uri(served.WebDavAddress, path),
            ("Depth", "0")
        );
        Assert.Equal(HttpStatusCode.NotFound, response.StatusCode);
    }

    [Fact]
    public async Task Hostile_names_leave_the_listing_well_formed_and_each_address_in_it_leads_to_its_file()
    {
        Uri folder = new(served.WebDavAddress, $"latest{served.Source}/hostile/");
        using HttpResponseMessage response = await served.SendAsync(new HttpMethod("PROPFIND"), folder, ("Depth", "1"));
        XDocument listing = XDocument.Parse(await response.Content.ReadAsStringAsync(Cancellation));
        XNamespace dav = "DAV:";
        string[] addresses =
        [
            .. listing.Descendants(dav + "href").Select(href => href.Value).Where(address => !address.EndsWith('/')),
        ];
        Assert.Equal(ServedBackup.HostileNames.Length, addresses.Length);
        foreach (string address in addresses)
        {
            using HttpResponseMessage file = await served.SendAsync(HttpMethod.Get, new Uri(served.Address, address));
            string name = Uri.UnescapeDataString(address.Split('/')[^1]);
            Assert.Equal($"content of {name}", await file.Content.ReadAsStringAsync(Cancellation));
        }
    }

    private static string[] Files(string folder) =>
        [
            .. Directory
                .EnumerateFiles(
                    folder,
                    "*",
                    new EnumerationOptions
                    {
                        RecurseSubdirectories = true,
                        AttributesToSkip = FileAttributes.ReparsePoint,
                    }
                )
                .Select(file => Path.GetRelativePath(folder, file))
                .Order(StringComparer.Ordinal),
        ];

    private async Task<string[]> ListAsync(string path) =>
        [
            .. (await RcloneAsync("lsf", $":webdav:{path}"))
                .Split('\n', StringSplitOptions.RemoveEmptyEntries)
                .Order(StringComparer.Ordinal),
        ];

    private async Task<string> RcloneAsync(params string[] arguments)
    {
        ProcessStartInfo start = new(
            "rclone",
            [.. arguments, "--webdav-url", served.WebDavAddress.ToString(), "--config", "/dev/null", "--retries", "1"]
        )
        {
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        using Process process = Process.Start(start)!;
        Task<string> error = process.StandardError.ReadToEndAsync(Cancellation);
        string output = await process.StandardOutput.ReadToEndAsync(Cancellation);
        await process.WaitForExitAsync(Cancellation);
        Assert.True(process.ExitCode == 0, await error);
        return output;
    }
}
