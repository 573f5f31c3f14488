using Restore.Storage;
using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Storage;

/// <summary>An address where nothing listens is recognized by every remote store.</summary>
public sealed class NothingListensTests
{
    public static TheoryData<string> Locations =>
    [
        "webdav://127.0.0.1:PORT/folder", "ssh://127.0.0.1:PORT/folder?auth-password=x",
        "s3://bucket/f?s3-server-name=127.0.0.1:PORT&auth-username=a&auth-password=b",
        "ssh://no-such-host.invalid/folder?auth-password=x",
    ];

    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory]
    [MemberData(nameof(Locations))]
    public async Task It_ends_the_run_within_seconds_with_one_sentence(string location)
    {
        string url = location.Replace("PORT", $"{StoreServer.FreePort()}", StringComparison.Ordinal);
        var log = new ListLogger();
        var options = new Dictionary<string, string> { ["number-of-retries"] = "2" };
        await using IVolumeStore store = StoreFactory.Open(url, TestStores.Registry, options, TimeProvider.System, log);
        long start = TimeProvider.System.GetTimestamp();

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(async () => await store.ListAsync(Token).ToListAsync(Token));

        Assert.Equal(RestoreErrorCode.StoreUnreachable, failure.Code);
        Assert.StartsWith("The store could not be listed in 3 tries: The store cannot be reached", failure.Message, StringComparison.Ordinal);

        // Two pauses of a second instead of ten; a busy machine takes longer.
        Assert.InRange(TimeProvider.System.GetElapsedTime(start), TimeSpan.FromSeconds(2), TimeSpan.FromSeconds(14));
        Assert.Equal(2, log.Events.Count(one => one.Text.Contains("The store cannot be reached", StringComparison.Ordinal)));
    }
}
