using Restore.Storage;

namespace Restore.Tests.Storage;

public sealed class RetryingSinkTests
{
    private readonly FakeClock time = new() { JumpsOverWaits = true };

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task An_upload_that_failed_is_repeated_under_a_new_name_and_nothing_is_left_of_the_old_one(
        bool losesAnswer
    )
    {
        ScriptedSink inner = new(Broken(), null, Broken(), null) { LosesAnswers = losesAnswer };

        string name = await Retrying(inner).PutAsync(trial => $"v{trial}", new byte[7], Token);

        Assert.Equal("v2", name);
        Assert.Equal(["put v0", "delete v0", "put v1", "delete v1", "put v2"], inner.Calls);
        Assert.Equal("v2", Assert.Single(inner.Files).Key);
        Assert.Equal(2, time.Waits.Length);
    }

    [Fact]
    public async Task After_the_last_try_the_run_ends_with_the_reason()
    {
        ScriptedSink inner = new(Broken(), null, Broken(), null, Broken(), null);
        RetryingSink sink = Retrying(inner);

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            sink.PutAsync(trial => $"v{trial}", new byte[7], Token)
        );

        Assert.Equal(RestoreErrorCode.DestinationNotWritable, failure.Code);
        Assert.Equal("The backup cannot be written in 3 tries: broken (scripted://sink: v2)", failure.Message);
        Assert.Equal(0, sink.BytesPut);
    }

    [Fact]
    public async Task What_would_fail_again_ends_the_run_at_once()
    {
        ScriptedSink inner = new(new IOException("No space left on device"));

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(() =>
            Retrying(inner).PutAsync(_ => "v", new byte[7], Token)
        );

        Assert.Equal((RestoreErrorCode.DestinationNotWritable, 1), (failure.Code, inner.Calls.Count));
        Assert.Empty(time.Waits);
    }

    [Fact]
    public async Task A_deletion_and_a_listing_are_repeated_as_they_are()
    {
        ScriptedSink inner = new(null, Broken(), null, Broken(), null);
        RetryingSink sink = Retrying(inner);
        await sink.PutAsync(_ => "v", new byte[7], Token);

        Assert.Equal([new StoredFile("v", 7)], await sink.ListAsync(Token));
        await sink.DeleteAsync("v", Token);

        Assert.Equal(["put v", "list", "list", "delete v", "delete v"], inner.Calls);
        Assert.Empty(inner.Files);
        Assert.Equal(7, sink.BytesPut);
    }

    [Fact]
    public async Task A_local_folder_gets_no_second_try()
    {
        ScriptedSink inner = new(Broken()) { IsLocal = true };

        await Assert.ThrowsAsync<RestoreException>(() =>
            Retrying(inner).PutAsync(trial => $"v{trial}", new byte[7], Token)
        );

        Assert.Equal(["put v0", "delete v0"], inner.Calls);
    }

    [Theory]
    [InlineData("../a")]
    [InlineData("a/b")]
    [InlineData("")]
    public async Task No_name_leads_out_of_the_folder(string name)
    {
        ScriptedSink inner = new();

        await Assert.ThrowsAsync<ArgumentException>(() => Retrying(inner).DeleteAsync(name, Token));
        await Assert.ThrowsAsync<ArgumentException>(() => Retrying(inner).PutAsync(_ => name, new byte[1], Token));

        Assert.Empty(inner.Calls);
    }

    private RetryingSink Retrying(ScriptedSink inner) =>
        new(
            inner,
            new TransferSettings { Retries = 2 },
            time,
            Microsoft.Extensions.Logging.Abstractions.NullLogger.Instance
        );

    private static TransientStoreException Broken() => new("broken");
}
