using System.Security.Cryptography;
using Restore.Storage;
using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Storage;

[Trait("Suite", "server")]
public sealed class AzureConformanceTests(AzureServer server)
    : RemoteStoreConformance(server),
        IClassFixture<AzureServer>
{
    [Fact]
    public async Task A_token_for_one_container_is_enough_to_read_it()
    {
        AzureServer azurite = (AzureServer)Server;
        await azurite.MakeFolderAsync(Folder);
        await azurite.PutAsync(Folder, "a.zip", [1, 2, 3, 4]);
        await using IVolumeStore store = TestStores.Open(
            azurite.UrlOf(Folder, azurite.Port),
            new Dictionary<string, string>
            {
                ["azure-account-name"] = "devstoreaccount1",
                ["azure-access-sas-token"] = azurite.TokenFor(Folder),
            }
        );
        byte[] read = new byte[2];

        Assert.Equal([new StoredFile("a.zip", 4)], await store.ListAsync(Token).ToListAsync(Token));
        Assert.Equal(2, await store.ReadAsync("a.zip", 1, read, Token));
        Assert.Equal([2, 3], read);
    }

    [Theory]
    [InlineData("azure://container", "Azure needs the name of the account, and its access key or a SAS token")]
    [InlineData(
        "azure://container?azure-account-name=ann",
        "Azure needs the name of the account, and its access key or a SAS token"
    )]
    [InlineData(
        "azure://container?azure-account-name=ann&azure-access-key=no%20key",
        "The access key for Azure is not Base64"
    )]
    [InlineData(
        "azure://container?azure-account-name=ann&azure-access-key=a2V5&azure-blob-endpoint=nowhere",
        "The option azure-blob-endpoint is an address"
    )]
    public void What_is_missing_for_a_container_is_named(string location, string message) =>
        Assert.StartsWith(
            message,
            Assert.Throws<RestoreException>(() => TestStores.Open(location)).Message,
            StringComparison.Ordinal
        );
}

/// <summary>Listings that Azure should not give, and what is said of them, at once.</summary>
public sealed class AzureListingTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("<Content-Length>7</Content-Length>", "<NextMarker>same</NextMarker>", "goes in a circle")]
    [InlineData("", "", "does not have the size of a.zip")]
    [InlineData("<Content-Length>99999999999999999999</Content-Length>", "", "has a size that no file has")]
    public async Task A_listing_that_no_backup_can_have_ends(string size, string next, string message)
    {
        string page = $"""
            <EnumerationResults><Blobs><Blob><Name>a.zip</Name><Properties>{size}</Properties></Blob></Blobs>{next}</EnumerationResults>
            """;
        await using FakeService service = new(_ => (200, page));

        RestoreException failure = await ListAsync(service.Address.Authority);

        Assert.Equal(RestoreErrorCode.ListingFailed, failure.Code);
        Assert.Contains(message, failure.Message, StringComparison.Ordinal);
        Assert.InRange(service.Requests.Count, 1, 2);
    }

    [Theory]
    [InlineData("<html>hi</html>")]
    [InlineData("<html><p>hi<br></html>")]
    [InlineData("<EnumerationResults><Blobs><Blob><Name>a.zip</Name>")]
    [InlineData("")]
    public async Task What_is_no_listing_is_not_an_empty_container(string body)
    {
        await using FakeService service = new(_ => (200, body));

        RestoreException failure = await ListAsync(service.Address.Authority);

        Assert.Equal(RestoreErrorCode.NotAzure, failure.Code);
        Assert.StartsWith("The server is no storage of Azure", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_redirect_to_another_host_is_refused()
    {
        await using FaultProxy proxy = new(
            StoreServer.FreePort(),
            new Fault { Answer = "307 Temporary Redirect\r\nLocation: http://localhost:1/container" }
        );
        await using IVolumeStore store = Open($"127.0.0.1:{proxy.Port}");

        RestoreException listing = await ListAsync($"127.0.0.1:{proxy.Port}");
        RestoreException file = await Assert.ThrowsAsync<RestoreException>(async () =>
            await store.ReadAsync("a.zip", 0, new byte[9], Token)
        );

        Assert.All([listing, file], failure => Assert.Equal(RestoreErrorCode.RedirectRefused, failure.Code));
        Assert.StartsWith(
            "The store redirects to another address (http://localhost:1)",
            file.Message,
            StringComparison.Ordinal
        );
    }

    private static async Task<RestoreException> ListAsync(string server)
    {
        await using IVolumeStore store = Open(server);
        return await Assert.ThrowsAsync<RestoreException>(async () =>
            await store.ListAsync(Token).Take(9).ToListAsync(Token)
        );
    }

    private static IVolumeStore Open(string server) =>
        TestStores.Open(
            $"azure://container?azure-blob-endpoint=http://{server}/ann",
            new Dictionary<string, string> { ["azure-account-name"] = "ann", ["azure-access-key"] = "a2V5" }
        );
}

[Trait("Suite", "server")]
public sealed class AzureFaultTests(AzureServer server) : HttpStoreFaults(server), IClassFixture<AzureServer>;

[Trait("Suite", "server")]
public sealed class AzureSinkTests(AzureServer server) : RemoteSinkConformance(server), IClassFixture<AzureServer>
{
    [Fact]
    public async Task A_large_volume_goes_in_blocks_and_one_that_breaks_off_leaves_nothing()
    {
        byte[] content = RandomNumberGenerator.GetBytes((64 << 20) + 12_345);
        int blocks = 0;
        await using FaultProxy proxy = new(
            Server.Port,
            new Fault
            {
                On = head =>
                    head.Contains("comp=block&", StringComparison.Ordinal) && Interlocked.Increment(ref blocks) == 2,
                Answer = "503 Busy",
            }
        );
        await using RetryingSink sink = Server.OpenSink(Folder, proxy.Port, ("azure-access-tier", "Cool"));
        await sink.PutAsync(_ => "first.zip", Array.Empty<byte>(), Token);

        string name = await sink.PutAsync(trial => $"v{trial}.zip", content, Token);

        Assert.Equal("v1.zip", name);
        Assert.Equal(
            [new StoredFile("first.zip", 0), new StoredFile(name, content.Length)],
            await sink.ListAsync(Token)
        );
        await using IVolumeStore store = Server.Open(Folder);
        byte[] tail = new byte[100_000];
        Assert.Equal(tail.Length, await store.ReadAsync(name, content.Length - tail.Length, tail, Token));
        Assert.True(content.AsSpan()[^tail.Length..].SequenceEqual(tail));
    }
}
