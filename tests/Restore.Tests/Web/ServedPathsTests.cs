using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using Restore.Tests.Trust;
using Restore.Web;

namespace Restore.Tests.Web;

/// <summary>
/// Each entry of a list is sent with its own bytes, whatever a file system makes of its path; and
/// the page stays within reach.
/// </summary>
public sealed class ServedPathsTests : IDisposable
{
    private readonly HttpClient client = new(new SocketsHttpHandler { UseProxy = false });

    private static CancellationToken Cancellation => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("/h//a")]
    [InlineData("//h/a")]
    [InlineData("/h/./a")]
    [InlineData("/x/../h/a")]
    [InlineData("h/a")]
    public async Task A_path_that_a_file_system_takes_for_another_one_has_its_own_bytes(string path)
    {
        using MadeBackup made = new();
        made.File("/h/a", [1, 2, 3], MadeBackup.Metadata(("unix:uid-gid-perm", "1-1-420")));
        made.File(path, [4, 5, 6], MadeBackup.Metadata(("unix:uid-gid-perm", "2-2-420")));
        made.File("/h/" + new string('n', 300), [7, 8, 9]);
        await using Backup backup = await Backup.OpenAsync(made.Write().Source, cancellationToken: Cancellation);
        await using BrowseServer server = await BrowseServer.StartAsync(backup, cancellationToken: Cancellation);
        Assert.Equal([1, 2, 3], await SendAsync(server, "/h/a"));
        Assert.Equal([4, 5, 6], await SendAsync(server, path));
        Assert.Equal([7, 8, 9], await SendAsync(server, "/h/" + new string('n', 300)));
        JsonElement details = JsonDocument
            .Parse(
                await client.GetStringAsync(
                    new Uri(server.Address, $"api/details?version=0&id={await FindAsync(server, path)}"),
                    Cancellation
                )
            )
            .RootElement;
        Assert.Equal((path, "2"), (details.GetProperty("path").GetString(), details.GetProperty("owner").GetString()));
    }

    [Theory]
    [InlineData("/h/a*.txt")]
    [InlineData("/h/a?.txt")]
    [InlineData("*.txt")]
    [InlineData("[/h/.*]")]
    public async Task A_path_with_wildcards_that_a_version_does_not_have_is_not_found_as_another_file(string path)
    {
        using MadeBackup made = new();
        made.File("/h/ab.txt", [1, 2, 3]);
        await using Backup backup = await Backup.OpenAsync(made.Write().Source, cancellationToken: Cancellation);
        await using BrowseServer server = await BrowseServer.StartAsync(backup, cancellationToken: Cancellation);
        Uri other = new(server.Address, $"api/find?version=0&path={Uri.EscapeDataString(path)}");
        using HttpResponseMessage answer = await client.GetAsync(other, Cancellation);
        Assert.Equal(HttpStatusCode.NotFound, answer.StatusCode);
        Assert.True(await FindAsync(server, "/h//ab.txt") >= 0);
    }

    [Fact]
    public async Task Many_connections_that_ask_for_nothing_do_not_keep_the_page_out()
    {
        using MadeBackup made = new();
        made.File("/a", [1, 2, 3]);
        await using Backup backup = await Backup.OpenAsync(made.Write().Source, cancellationToken: Cancellation);
        await using BrowseServer server = await BrowseServer.StartAsync(backup, cancellationToken: Cancellation);
        List<TcpClient> idle = [];
        try
        {
            for (int i = 0; i < 300; i++)
            {
                TcpClient connection = new();
                idle.Add(connection);
                await connection.ConnectAsync(IPAddress.Loopback, server.Address.Port, Cancellation);
                await connection.GetStream().WriteAsync("GET /"u8.ToArray(), Cancellation);
            }

            string page = await client
                .GetStringAsync(server.Address, Cancellation)
                .WaitAsync(TimeSpan.FromSeconds(20), Cancellation);
            Assert.Contains("<html", page, StringComparison.OrdinalIgnoreCase);
        }
        finally
        {
            idle.ForEach(connection => connection.Dispose());
        }
    }

    public void Dispose() => client.Dispose();

    private async Task<byte[]> SendAsync(BrowseServer server, string path) =>
        await client.GetByteArrayAsync(
            new Uri(server.Address, $"file?version=0&id={await FindAsync(server, path)}"),
            Cancellation
        );

    private async Task<int> FindAsync(BrowseServer server, string path) =>
        JsonDocument
            .Parse(
                await client.GetStringAsync(
                    new Uri(server.Address, $"api/find?version=0&path={Uri.EscapeDataString(path)}"),
                    Cancellation
                )
            )
            .RootElement.GetProperty("id")
            .GetInt32();
}
