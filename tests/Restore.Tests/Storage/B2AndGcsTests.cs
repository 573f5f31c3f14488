using System.Net;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using Restore.S3;
using Restore.Storage;
using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Storage;

[Trait("Suite", "server")]
public sealed class B2ConformanceTests(B2Server server) : RemoteStoreConformance(server), IClassFixture<B2Server>
{
    [Theory]
    [InlineData("b2://bucket/f", "B2 needs the ID of an application key, and the key")]
    [InlineData(
        "b2://bucket/f?b2-accountid=0123456789ab&b2-applicationkey=k",
        "The S3 interface of B2 takes no master application key"
    )]
    public void What_is_missing_for_B2_is_named(string location, string message) =>
        Assert.StartsWith(
            message,
            Assert.Throws<RestoreException>(() => TestStores.Open(location)).Message,
            StringComparison.Ordinal
        );

    [Fact]
    public async Task B2_is_asked_once_for_the_address_of_the_account()
    {
        await Server.PutAsync(Folder, "a.zip", new byte[5]);
        await using FakeService b2 = new(request =>
            request.Headers["Authorization"] == $"Basic {Convert.ToBase64String("S3RVER:S3RVER"u8)}"
                ? (
                    200,
                    """{"apiInfo":{"storageApi":{"s3ApiUrl":"https://127.0.0.1:PORT"}}}""".Replace(
                        "PORT",
                        $"{Server.Port}",
                        StringComparison.Ordinal
                    )
                )
                : (401, """{"code":"unauthorized"}""")
        );
        await using IVolumeStore store = Open(b2, "S3RVER");

        Assert.Equal([new StoredFile("a.zip", 5)], await store.ListAsync(Token).ToListAsync(Token));
        Assert.Equal(5, await store.ReadAsync("a.zip", 0, new byte[9], Token));
        Assert.Single(b2.Requests);
    }

    [Fact]
    public async Task A_key_that_B2_does_not_know_is_refused()
    {
        await using FakeService b2 = new(_ => (401, """{"code":"unauthorized"}"""));
        await using IVolumeStore store = Open(b2, "quite-wrong");

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(async () =>
            await store.ListAsync(Token).ToListAsync(Token)
        );

        Assert.Equal(RestoreErrorCode.CredentialsRefused, failure.Code);
    }

    private IVolumeStore Open(FakeService b2, string key) =>
        StoreFactory.Open(
            $"b2://backups/{Folder}?use-ssl=false",
            StoreRegistry.Default.With(new B2StoreProvider(b2.Address)),
            new Dictionary<string, string> { ["b2-accountid"] = "S3RVER", ["b2-applicationkey"] = key },
            TimeProvider.System
        );
}

[Trait("Suite", "server")]
public sealed class B2SinkTests(B2Server server) : RemoteSinkConformance(server), IClassFixture<B2Server>
{
    protected override bool KeepsCutBodies => true;
}

[Trait("Suite", "server")]
public sealed class GcsConformanceTests(GcsServer server) : RemoteStoreConformance(server), IClassFixture<GcsServer>
{
    [Theory]
    [InlineData("gcs://bucket/f", "Google Cloud Storage needs the key of a service account, or an HMAC key")]
    [InlineData(
        "gcs://bucket/f?authid=x",
        "An AuthID can only be used with the sign-in service of Duplicati, which is not asked"
    )]
    [InlineData(
        "gcs://bucket/f?gcs-service-account-file=/no/such/file",
        "The key file of the service account cannot be read"
    )]
    [InlineData(
        "gcs://bucket/f?gcs-service-account-json=%7B%7D",
        "The key of the service account is not one that Google makes as JSON"
    )]
    public void What_is_missing_for_Google_is_named(string location, string message) =>
        Assert.StartsWith(
            message,
            Assert.Throws<RestoreException>(() => TestStores.Open(location)).Message,
            StringComparison.Ordinal
        );

    [Fact]
    public async Task A_service_account_gets_a_token_which_replaces_the_signature()
    {
        using RSA key = RSA.Create(2048);
        await using FakeService google = new(request =>
            request.Url!.AbsolutePath == "/token" ? Granted(request, key) : Listing(request)
        );
        await using IVolumeStore store = Open(google, key);

        Assert.Equal([new StoredFile("a.zip", 7)], await store.ListAsync(Token).ToListAsync(Token));
        Assert.Equal([new StoredFile("a.zip", 7)], await store.ListAsync(Token).ToListAsync(Token));

        Assert.Equal(1, google.Requests.Count(path => path == "/token"));
    }

    [Fact]
    public async Task A_service_account_that_Google_refuses_ends_the_run_with_its_reason()
    {
        using RSA key = RSA.Create(2048);
        await using FakeService google = new(_ =>
            (400, """{"error":"invalid_grant","error_description":"Invalid JWT Signature."}""")
        );
        await using IVolumeStore store = Open(google, key);

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(async () =>
            await store.ListAsync(Token).ToListAsync(Token)
        );

        Assert.StartsWith(
            "Google refused the service account restore@example.org (Invalid JWT Signature)",
            failure.Message,
            StringComparison.Ordinal
        );
    }

    private static (int Status, string Body) Granted(HttpListenerRequest request, RSA key)
    {
        string form = new StreamReader(request.InputStream).ReadToEnd();
        string[] parts = Uri.UnescapeDataString(form.Split("assertion=")[1]).Split('.');
        JsonElement claims = JsonDocument.Parse(System.Buffers.Text.Base64Url.DecodeFromChars(parts[1])).RootElement;
        bool isSigned = key.VerifyData(
            Encoding.ASCII.GetBytes($"{parts[0]}.{parts[1]}"),
            System.Buffers.Text.Base64Url.DecodeFromChars(parts[2]),
            HashAlgorithmName.SHA256,
            RSASignaturePadding.Pkcs1
        );
        return
            isSigned
            && claims.GetProperty("iss").GetString() == "restore@example.org"
            && claims.GetProperty("aud").GetString() == request.Url!.AbsoluteUri
            ? (200, """{"access_token":"granted","expires_in":3599}""")
            : (400, """{"error":"invalid_grant"}""");
    }

    private static (int Status, string Body) Listing(HttpListenerRequest request) =>
        request.Headers["Authorization"] == "Bearer granted"
        && !request.Headers.AllKeys.Any(name => name!.StartsWith("x-amz", StringComparison.OrdinalIgnoreCase))
            ? (
                200,
                "<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>f/a.zip</Key><Size>7</Size></Contents></ListBucketResult>"
            )
            : (403, "<Error><Code>AccessDenied</Code></Error>");

    private static IVolumeStore Open(FakeService google, RSA key) =>
        TestStores.Open(
            $"gcs://bucket/f?s3-server-name={google.Address.Authority}&use-ssl=false",
            new Dictionary<string, string>
            {
                ["gcs-service-account-json"] = JsonSerializer.Serialize(
                    new
                    {
                        type = "service_account",
                        client_email = "restore@example.org",
                        private_key = key.ExportPkcs8PrivateKeyPem(),
                        token_uri = new Uri(google.Address, "/token"),
                    }
                ),
            }
        );
}

[Trait("Suite", "server")]
public sealed class GcsSinkTests(GcsServer server) : RemoteSinkConformance(server), IClassFixture<GcsServer>
{
    protected override bool KeepsCutBodies => true;
}

/// <summary>
/// A service on the loopback that answers as a test says, where no real one can be had.
/// </summary>
internal sealed class FakeService : IAsyncDisposable
{
    private readonly HttpListener listener = new();
    private readonly List<string> requests = [];
    private readonly Task serving;

    public FakeService(Func<HttpListenerRequest, (int Status, string Body)> answer)
    {
        Address = new Uri($"http://127.0.0.1:{StoreServer.FreePort()}/");
        listener.Prefixes.Add(Address.AbsoluteUri);
        listener.Start();
        serving = ServeAsync(answer);
    }

    public Uri Address { get; }

    public IReadOnlyList<string> Requests
    {
        get
        {
            lock (requests)
            {
                return [.. requests];
            }
        }
    }

    public async ValueTask DisposeAsync()
    {
        listener.Close();
        await serving;
    }

    private async Task ServeAsync(Func<HttpListenerRequest, (int Status, string Body)> answer)
    {
        try
        {
            while (true)
            {
                HttpListenerContext exchange = await listener.GetContextAsync();
                lock (requests)
                {
                    requests.Add(exchange.Request.Url!.AbsolutePath);
                }

                (exchange.Response.StatusCode, string body) = answer(exchange.Request);
                exchange.Response.Close(Encoding.UTF8.GetBytes(body), willBlock: true);
            }
        }
        catch (Exception failure) when (failure is HttpListenerException or ObjectDisposedException)
        {
            // Closed.
        }
    }
}
