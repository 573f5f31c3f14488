using System.Security.Cryptography;
using Restore.Storage;
using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Storage;

[Trait("Suite", "server")]
public sealed class ApacheWebDavSinkTests(ApacheServer server)
    : RemoteSinkConformance(server),
        IClassFixture<ApacheServer>
{
    [Fact]
    public async Task An_upload_that_breaks_off_leaves_no_volume_and_the_next_try_has_another_name()
    {
        await using FaultProxy proxy = new(
            Server.Port,
            new Fault
            {
                On = head => head.StartsWith("MOVE", StringComparison.Ordinal),
                Times = 1,
                Answer = "503 Busy",
            }
        );
        await using RetryingSink sink = Server.OpenSink(Folder, proxy.Port);

        string name = await sink.PutAsync(trial => $"duplicati-b{trial}.dblock.zip", new byte[300_000], Token);

        Assert.Equal("duplicati-b1.dblock.zip", name);
        Assert.Equal([new StoredFile(name, 300_000)], await sink.ListAsync(Token));
    }

    [Fact]
    public async Task A_server_that_does_not_rename_gets_the_file_under_its_name()
    {
        await using FaultProxy proxy = new(
            Server.Port,
            new Fault { On = head => head.StartsWith("MOVE", StringComparison.Ordinal), Answer = "405 No" }
        );
        await using IVolumeSink sink = Server.OpenPlainSink(Folder, proxy.Port);

        await sink.PutAsync("a.zip", new byte[1000], Token);
        await sink.PutAsync("b.zip", new byte[2000], Token);

        Assert.Equal([new("a.zip", 1000), new("b.zip", 2000)], await ListAsync(sink));
        Assert.Single(proxy.Requests, head => head.StartsWith("MOVE", StringComparison.Ordinal));
    }

    [Fact]
    public async Task A_full_store_ends_the_run_at_once()
    {
        await using FaultProxy proxy = new(
            Server.Port,
            new Fault { On = head => head.StartsWith("PUT", StringComparison.Ordinal), Answer = "507 Full" }
        );
        await using RetryingSink sink = Server.OpenSink(Folder, proxy.Port);

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            sink.PutAsync(_ => "a.zip", new byte[10], Token)
        );

        Assert.Equal(RestoreErrorCode.DestinationNotWritable, failure.Code);
        Assert.Contains("full", failure.Message, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Digest_credentials_are_taken_too()
    {
        await Server.MakeWritableFolderAsync("digest");
        await using IVolumeSink sink = Server.OpenPlainSink(
            "digest/backup",
            options: [("auth-password", "digest-secret"), ("force-digest-authentication", "true")]
        );

        await sink.PutAsync("a.zip", new byte[200_000], Token);

        Assert.Equal([new StoredFile("a.zip", 200_000)], await ListAsync(sink));
    }
}

[Trait("Suite", "server")]
public sealed class RcloneWebDavSinkTests(RcloneWebDavServer server)
    : RemoteSinkConformance(server),
        IClassFixture<RcloneWebDavServer>;

[Trait("Suite", "server")]
public sealed class SshSinkTests(SshServer server) : RemoteSinkConformance(server), IClassFixture<SshServer>;

[Trait("Suite", "server")]
public sealed class FtpSinkTests(FtpServer server) : RemoteSinkConformance(server), IClassFixture<FtpServer>;

[Trait("Suite", "server")]
public sealed class S3SinkTests(S3Server server) : RemoteSinkConformance(server), IClassFixture<S3Server>
{
    // s3rver does at times; S3 itself compares the length and the MD5 first.
    protected override bool KeepsCutBodies => true;

    [Fact]
    public async Task A_large_volume_goes_in_parts_and_one_that_breaks_off_leaves_nothing()
    {
        byte[] content = RandomNumberGenerator.GetBytes((64 << 20) + 12_345);
        await using FaultProxy proxy = new(
            Server.Port,
            new Fault
            {
                On = head => head.Contains("partNumber=2", StringComparison.Ordinal),
                Times = 1,
                Answer = "503 Busy",
            }
        );
        await using RetryingSink sink = Server.OpenSink(Folder, proxy.Port);

        string name = await sink.PutAsync(trial => $"v{trial}.zip", content, Token);

        Assert.Equal("v1.zip", name);
        Assert.Equal([new StoredFile(name, content.Length)], await sink.ListAsync(Token));
        Assert.Contains(
            proxy.Requests,
            head =>
                head.StartsWith("DELETE", StringComparison.Ordinal)
                && head.Contains("uploadId=", StringComparison.Ordinal)
        );
        await using IVolumeStore store = Server.Open(Folder);
        byte[] tail = new byte[100_000];
        Assert.Equal(tail.Length, await store.ReadAsync(name, content.Length - tail.Length, tail, Token));
        Assert.True(content.AsSpan()[^tail.Length..].SequenceEqual(tail));
    }
}
