using System.Net;
using System.Net.Sockets;
using System.Text;
using Restore.Web;

namespace Restore.Tests.Web;

/// <summary>Who is let in, and what the answers forbid.</summary>
public sealed class GateTests(ServedBackup served) : IClassFixture<ServedBackup>
{
    [Theory]
    [InlineData("/")]
    [InlineData("/api/backup")]
    [InlineData("/00000000000000000000000000000000/")]
    [InlineData("/dav/latest/")]
    [InlineData("/?token")]
    public async Task Without_the_token_nothing_is_there(string path)
    {
        using HttpResponseMessage response = await served.SendAsync(HttpMethod.Get, new Uri(served.Address, path));
        Assert.Equal(HttpStatusCode.NotFound, response.StatusCode);
        string text = await response.Content.ReadAsStringAsync(TestContext.Current.CancellationToken);
        Assert.StartsWith("The address lacks the token, or has an old one", text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_address_without_its_last_slash_leads_to_the_page()
    {
        Uri address = new(served.Address.ToString().TrimEnd('/'));
        using HttpResponseMessage response = await served.SendAsync(HttpMethod.Get, address);
        Assert.Equal((HttpStatusCode)308, response.StatusCode);
        Assert.Equal(served.Address, new Uri(address, response.Headers.Location!));
    }

    [Fact]
    public async Task An_address_for_a_command_line_leads_to_the_page_once()
    {
        FakeClock clock = new();
        await using Backup backup = await Backup.OpenAsync(
            Fixtures.Backup("plain-1mb"),
            cancellationToken: TestContext.Current.CancellationToken
        );
        await using BrowseServer server = await BrowseServer.StartAsync(
            backup,
            new BrowseOptions { TimeProvider = clock },
            TestContext.Current.CancellationToken
        );
        Uri open = server.MakeOpenAddress();
        string token = server.Address.AbsolutePath.Trim('/');
        Assert.DoesNotContain(token, open.ToString(), StringComparison.Ordinal);

        async Task<string?> LocationAsync(Uri address, params (string, string)[] headers)
        {
            using HttpResponseMessage response = await served.SendAsync(HttpMethod.Get, address, headers);
            Assert.Equal(
                response.Headers.Location is null ? HttpStatusCode.NotFound : HttpStatusCode.Found,
                response.StatusCode
            );
            return response.Headers.Location?.ToString();
        }

        Assert.Null(await LocationAsync(new Uri(open, "/open/")));
        Assert.Null(await LocationAsync(new Uri(open, "/open/00000000000000000000000000000000")));
        Assert.Equal($"/{token}/", await LocationAsync(open));
        Assert.Null(await LocationAsync(open));
        Uri another = server.MakeOpenAddress();
        Assert.Null(await LocationAsync(another, ("Sec-Fetch-Site", "cross-site")));
        Uri late = server.MakeOpenAddress();
        clock.Advance(TimeSpan.FromMinutes(6));
        Assert.Null(await LocationAsync(late));
    }

    [Theory]
    [InlineData("evil.example", HttpStatusCode.NotFound)]
    [InlineData("127.0.0.1.evil.example", HttpStatusCode.NotFound)]
    [InlineData("localhost:1", HttpStatusCode.OK)]
    [InlineData("127.0.0.1:1", HttpStatusCode.OK)]
    [InlineData("[::1]:1", HttpStatusCode.OK)]
    public async Task A_request_to_another_host_is_refused(string host, HttpStatusCode expected)
    {
        using HttpResponseMessage response = await served.SendAsync(HttpMethod.Get, served.Address, ("Host", host));
        Assert.Equal(expected, response.StatusCode);
    }

    [Theory]
    [InlineData("Origin", "http://evil.example")]
    [InlineData("Origin", "null")]
    [InlineData("Sec-Fetch-Site", "cross-site")]
    [InlineData("Sec-Fetch-Site", "same-site")]
    public async Task A_request_from_another_page_is_refused(string header, string value)
    {
        using HttpResponseMessage response = await served.SendAsync(
            HttpMethod.Get,
            new Uri(served.Address, "api/backup"),
            (header, value)
        );
        Assert.Equal(HttpStatusCode.Forbidden, response.StatusCode);
    }

    [Theory]
    [InlineData("")]
    [InlineData("main.js")]
    [InlineData("style.css")]
    [InlineData("api/backup")]
    [InlineData("no-such-path")]
    public async Task Every_answer_forbids_scripts_of_others_frames_and_copies(string path)
    {
        using HttpResponseMessage response = await served.SendAsync(HttpMethod.Get, new Uri(served.Address, path));
        string policy = string.Concat(response.Headers.GetValues("Content-Security-Policy"));
        Assert.Contains("default-src 'none'", policy, StringComparison.Ordinal);
        Assert.Contains("frame-ancestors 'none'", policy, StringComparison.Ordinal);
        Assert.DoesNotContain("unsafe", policy, StringComparison.Ordinal);
        Assert.Equal(["nosniff"], response.Headers.GetValues("X-Content-Type-Options"));
        Assert.Equal(["no-referrer"], response.Headers.GetValues("Referrer-Policy"));
        Assert.True(response.Headers.CacheControl!.NoStore);
    }

    [Fact]
    public async Task The_page_asks_no_other_server_and_has_no_script_or_style_of_its_own()
    {
        string page = await served.Client.GetStringAsync(served.Address, TestContext.Current.CancellationToken);
        Assert.DoesNotContain("://", page, StringComparison.Ordinal);
        Assert.DoesNotContain("<style", page, StringComparison.Ordinal);
        Assert.DoesNotContain(" style=", page, StringComparison.Ordinal);
        Assert.DoesNotContain("<script>", page, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_server_listens_on_the_loopback_interface_alone()
    {
        IPAddress[] others = await Dns.GetHostAddressesAsync(
            Dns.GetHostName(),
            AddressFamily.InterNetwork,
            TestContext.Current.CancellationToken
        );
        foreach (IPAddress other in others.Where(address => !IPAddress.IsLoopback(address)))
        {
            using TcpClient client = new();
            await Assert.ThrowsAnyAsync<SocketException>(() =>
                client.ConnectAsync(other, served.Address.Port, TestContext.Current.CancellationToken).AsTask()
            );
        }
    }

    [Theory]
    [InlineData("DELETE", "api/backup", HttpStatusCode.MethodNotAllowed)]
    [InlineData("GET", "api/folder?version=77", HttpStatusCode.NotFound)]
    [InlineData("GET", "api/folder?version=0&id=123456789", HttpStatusCode.NotFound)]
    [InlineData("GET", "api/folder?version=0&id=-5", HttpStatusCode.BadRequest)]
    [InlineData("GET", "api/folder?version=0&count=100000000", HttpStatusCode.BadRequest)]
    [InlineData("GET", "api/folder", HttpStatusCode.BadRequest)]
    [InlineData("GET", "file?version=0&id=0", HttpStatusCode.Conflict)]
    [InlineData("GET", "api/entry?id=123456789", HttpStatusCode.NotFound)]
    public async Task A_request_that_cannot_be_answered_gets_its_own_status(
        string method,
        string path,
        HttpStatusCode expected
    )
    {
        using HttpResponseMessage response = await served.SendAsync(
            new HttpMethod(method),
            new Uri(served.Address, path)
        );
        Assert.Equal(expected, response.StatusCode);
    }

    [Fact]
    public async Task A_request_that_is_not_HTTP_does_not_end_the_server()
    {
        using TcpClient client = new();
        await client.ConnectAsync(IPAddress.Loopback, served.Address.Port, TestContext.Current.CancellationToken);
        await client
            .GetStream()
            .WriteAsync(
                Encoding.ASCII.GetBytes($"GET {served.Address.AbsolutePath}../../ HTTP/1.1\r\nno header\r\n\r\n\0\0\0")
            );
        Assert.Equal(3, (await served.GetAsync("api/backup")).GetProperty("versions").GetArrayLength());
    }
}
