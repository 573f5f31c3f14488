using Restore.Storage;
using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Storage;

[Trait("Suite", "server")]
public sealed class S3FaultTests(S3Server server) : HttpStoreFaults(server), IClassFixture<S3Server>
{
    private readonly S3Server server = server;

    [Fact]
    public async Task Only_the_lost_page_of_a_long_listing_is_requested_again()
    {
        string folder = $"f-{Guid.NewGuid():N}";
        var atOnce = new ParallelOptions { MaxDegreeOfParallelism = 16 };
        await Parallel.ForEachAsync(
            Enumerable.Range(0, 1100),
            atOnce,
            async (i, _) => await server.PutAsync(folder, $"{i:0000}.zip", [])
        );
        await using var proxy = new FaultProxy(
            server.Port,
            new Fault
            {
                On = head => head.Contains("continuation-token=", StringComparison.Ordinal),
                Times = 1,
                Answer = "500 Internal Server Error",
            }
        );
        await using IVolumeStore store = server.Open(folder, proxy.Port);

        List<StoredFile> files = await store
            .ListAsync(TestContext.Current.CancellationToken)
            .ToListAsync(TestContext.Current.CancellationToken);

        Assert.Equal(Enumerable.Range(0, 1100).Select(i => $"{i:0000}.zip"), files.Select(file => file.Name));
        Assert.Equal(3, proxy.Requests.Length);
        Assert.Contains("start-after=", proxy.Requests[^1], StringComparison.Ordinal);
    }
}
