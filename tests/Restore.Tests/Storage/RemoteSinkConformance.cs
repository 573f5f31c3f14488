using Restore.Storage;
using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Storage;

/// <summary>What every sink does that is reached over a network.</summary>
public abstract class RemoteSinkConformance(StoreServer server) : SinkConformance(server)
{
    /// <summary>
    /// Whether the server keeps what came of a body that was cut, as no real one does.
    /// </summary>
    protected virtual bool KeepsCutBodies => false;

    [Fact]
    public async Task A_server_that_is_not_there_ends_the_run_with_a_reason()
    {
        await using RetryingSink sink = Server.OpenSink(Folder, StoreServer.FreePort());

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            sink.PutAsync(_ => "a.zip", new byte[10], Token)
        );

        Assert.Equal(RestoreErrorKind.Failed, failure.Kind);
        Assert.Equal(RestoreErrorCode.StoreUnreachable, failure.Code);
        Assert.False(Server.Secret is { } secret && failure.ToString().Contains(secret, StringComparison.Ordinal));
    }

    [Fact]
    public async Task Wrong_credentials_end_the_run_at_once()
    {
        await using RetryingSink sink = Server.OpenSink(Folder, options: Server.WrongCredential);

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            sink.PutAsync(_ => "a.zip", new byte[10], Token)
        );

        Assert.Contains("refused", failure.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("quite-wrong", failure.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task An_upload_that_is_cancelled_in_the_middle_leaves_no_volume()
    {
        await using IVolumeSink sink = Server.OpenPlainSink(Folder, options: ("throttle-upload", "1mb"));
        using var given = CancellationTokenSource.CreateLinkedTokenSource(Token);
        given.CancelAfter(TimeSpan.FromSeconds(0.4));

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() =>
            sink.PutAsync("b.zip", new byte[20_000_000], given.Token)
                .AsTask()
                .WaitAsync(TimeSpan.FromSeconds(15), Token)
        );

        Assert.All(
            await ListAsync(sink),
            file => Assert.True(KeepsCutBodies && file.SizeBytes < 20_000_000, $"{file} is there")
        );
    }
}
