using Restore.Storage;
using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Storage;

/// <summary>What is particular to WebDAV: ways to log in, redirects, certificates.</summary>
[Trait("Suite", "server")]
public sealed class WebDavStoreTests(ApacheServer apache, RcloneWebDavServer rclone)
    : IClassFixture<ApacheServer>,
        IClassFixture<RcloneWebDavServer>
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData("force-digest-authentication", "true")]
    [InlineData("force-digest-authentication", "false")]
    public async Task Digest_authentication_lets_in(string option, string value)
    {
        await apache.MakeFolderAsync("digest/f");
        await apache.PutAsync("digest/f", "a.zip", [1, 2, 3]);
        await using IVolumeStore store = apache.Open(
            "digest/f",
            null,
            ("auth-password", "digest-secret"),
            (option, value)
        );

        Assert.Equal([new("a.zip", 3)], await store.ListAsync(Token).ToListAsync(Token));
        Assert.Equal(3, await store.ReadAsync("a.zip", 0, new byte[10], Token));
    }

    [Fact]
    public async Task Where_digest_is_forced_the_password_is_not_sent_in_the_clear()
    {
        await apache.MakeFolderAsync("basic-only");
        await using var proxy = new FaultProxy(apache.Port);
        await using IVolumeStore store = apache.Open("basic-only", proxy.Port, ("force-digest-authentication", "true"));

        await Assert.ThrowsAsync<RestoreException>(async () => await store.ListAsync(Token).ToListAsync(Token));

        Assert.DoesNotContain(
            proxy.Requests,
            request => request.Contains("Authorization: Basic", StringComparison.OrdinalIgnoreCase)
        );
    }

    [Fact]
    public async Task A_redirect_on_the_same_host_is_followed()
    {
        await apache.MakeFolderAsync("here");
        await apache.PutAsync("here", "a.zip", [1, 2, 3]);
        string url = apache.UrlOf("here", apache.Port).Replace("/dav/", "/moved/", StringComparison.Ordinal);
        await using IVolumeStore store = TestStores.Open(url, apache.Options);

        Assert.Equal([new("a.zip", 3)], await store.ListAsync(Token).ToListAsync(Token));
        Assert.Equal(3, await store.ReadAsync("a.zip", 0, new byte[10], Token));
    }

    [Fact]
    public async Task A_redirect_to_another_host_is_refused()
    {
        await apache.MakeFolderAsync("here");
        string url = apache.UrlOf("here", apache.Port).Replace("/dav/", "/away/", StringComparison.Ordinal);
        await using IVolumeStore store = TestStores.Open(url, apache.Options);

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(async () =>
            await store.ListAsync(Token).ToListAsync(Token)
        );

        Assert.Contains("redirects to another host (http://localhost)", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_server_that_is_not_a_WebDAV_server_is_reported()
    {
        await using var proxy = new FaultProxy(apache.Port, new Fault { Answer = "405 Method Not Allowed" });
        await using IVolumeStore store = apache.Open("f", proxy.Port);

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(async () =>
            await store.ListAsync(Token).ToListAsync(Token)
        );

        Assert.Contains(
            "does not speak WebDAV here (it answered 405 to PROPFIND)",
            failure.Message,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public async Task An_unsigned_certificate_is_refused_and_its_hash_reported()
    {
        await using IVolumeStore store = rclone.Open(
            "",
            out MeteredStore meter,
            null,
            ("accept-specified-ssl-hash", "")
        );

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(async () =>
            await store.ListAsync(Token).ToListAsync(Token)
        );

        Assert.Contains(rclone.CertificateHash, failure.Message, StringComparison.Ordinal);
        Assert.Equal(RestoreErrorCode.CertificateUntrusted, failure.Code);
        Assert.Equal(1, meter.Requests);
    }

    [Fact]
    public async Task Another_hash_than_the_certificate_has_does_not_let_in()
    {
        await using IVolumeStore store = rclone.Open("", null, ("accept-specified-ssl-hash", new string('0', 40)));

        await Assert.ThrowsAsync<RestoreException>(async () => await store.ListAsync(Token).ToListAsync(Token));
    }

    [Fact]
    public async Task Any_certificate_is_accepted_if_the_option_says_so()
    {
        await using IVolumeStore store = rclone.Open(
            "",
            null,
            ("accept-specified-ssl-hash", ""),
            ("accept-any-ssl-certificate", "")
        );

        Assert.NotNull(await store.ListAsync(Token).ToListAsync(Token));
    }
}
