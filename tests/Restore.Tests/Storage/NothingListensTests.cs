using System.Net;
using System.Net.Sockets;
using Restore.Storage;
using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Storage;

/// <summary>An address where nothing listens is recognized by every remote store.</summary>
public sealed class NothingListensTests
{
    public static TheoryData<string> Locations =>
        [
            "webdav://127.0.0.1:PORT/folder",
            "ssh://127.0.0.1:PORT/folder?auth-password=x",
            "s3://bucket/f?s3-server-name=127.0.0.1:PORT&auth-username=a&auth-password=b",
            "b2://bucket/f?s3-server-name=127.0.0.1:PORT&auth-username=a&auth-password=b",
            "gcs://bucket/f?s3-server-name=127.0.0.1:PORT&auth-username=a&auth-password=b",
            "azure://container?azure-blob-endpoint=http://127.0.0.1:PORT/a&auth-username=a&auth-password=a2V5",
            "ssh://no-such-host.invalid/folder?auth-password=x",
        ];

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

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

        RestoreException failure = await Assert.ThrowsAsync<RestoreException>(async () =>
            await store.ListAsync(Token).ToListAsync(Token)
        );

        Assert.Equal(RestoreErrorCode.StoreUnreachable, failure.Code);
        Assert.StartsWith(
            "The store could not be listed in 3 tries: The store cannot be reached",
            failure.Message,
            StringComparison.Ordinal
        );

        // Two pauses of a second instead of ten; a timer may end them a moment early, and a busy
        // machine takes longer.
        Assert.InRange(TimeProvider.System.GetElapsedTime(start), TimeSpan.FromSeconds(1.9), TimeSpan.FromSeconds(14));
        Assert.Equal(
            2,
            log.Events.Count(one => one.Text.Contains("The store cannot be reached", StringComparison.Ordinal))
        );
    }

    /// <summary>
    /// As behind a firewall that throws packets away: the queue of a listener is full, and the
    /// system drops what else comes.
    /// </summary>
    [Fact]
    public async Task An_address_that_never_answers_counts_as_one_where_nothing_listens()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "Other systems refuse a connection when the queue is full.");
        using Socket deaf = new(SocketType.Stream, ProtocolType.Tcp);
        deaf.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        deaf.Listen(0);
        using var stop = new CancellationTokenSource();
        Task[] queue =
        [
            .. Enumerable.Range(0, 4).Select(_ => OccupyAsync((IPEndPoint)deaf.LocalEndPoint!, stop.Token)),
        ];
        await Task.Delay(300, Token);
        string[] remote =
        [
            .. Locations.Select(row => row.Data).Where(location => location.Contains("PORT", StringComparison.Ordinal)),
        ];

        RestoreException[] failures = await Task.WhenAll(
            remote.Select(async location =>
            {
                string url = location.Replace(
                    "PORT",
                    $"{((IPEndPoint)deaf.LocalEndPoint!).Port}",
                    StringComparison.Ordinal
                );
                var patient = new Dictionary<string, string>
                {
                    ["number-of-retries"] = "0",
                    ["read-write-timeout"] = "5m",
                };
                await using IVolumeStore store = TestStores.Open(url, patient);
                return await Assert.ThrowsAsync<RestoreException>(async () =>
                    await store.ListAsync(Token).ToListAsync(Token).AsTask().WaitAsync(Patience, Token)
                );
            })
        );

        Assert.All(failures, failure => Assert.Equal(RestoreErrorCode.StoreUnreachable, failure.Code));
        await stop.CancelAsync();
        await Task.WhenAll(queue);
    }

    private static async Task OccupyAsync(IPEndPoint address, CancellationToken token)
    {
        using Socket one = new(SocketType.Stream, ProtocolType.Tcp);
        try
        {
            await one.ConnectAsync(address, token);
            await Task.Delay(Timeout.Infinite, token);
        }
        catch (OperationCanceledException)
        {
            // The test has ended.
        }
    }
}
