using Restore.Storage;
using Restore.Tests.Storage.Servers;

namespace Restore.Tests.Storage;

/// <summary>
/// A volume goes from the socket into its buffer: no copy of it is made on the way.
/// </summary>
[Collection(nameof(Alone))]
[Trait("Suite", "server")]
public sealed class AllocationTests(ApacheServer apache, S3Server s3)
    : IClassFixture<ApacheServer>,
        IClassFixture<S3Server>
{
    private const int FileBytes = 20_000_000;

    [Theory]
    [InlineData("webdav")]
    [InlineData("s3")]
    public async Task Reading_a_volume_allocates_a_small_part_of_its_size(string kind)
    {
        CancellationToken token = TestContext.Current.CancellationToken;
        StoreServer server = kind == "s3" ? s3 : apache;
        await server.MakeFolderAsync("large");
        await server.PutAsync("large", "large.zip", new byte[FileBytes]);
        await using IVolumeStore store = server.Open("large");
        byte[] destination = new byte[FileBytes];
        await store.ReadAsync("large.zip", 0, destination, token);

        long before = GC.GetTotalAllocatedBytes(precise: true);
        Assert.Equal(FileBytes, await store.ReadAsync("large.zip", 0, destination, token));
        long allocated = GC.GetTotalAllocatedBytes(precise: true) - before;

        Assert.True(allocated < FileBytes / 10, $"{allocated} bytes were allocated for {FileBytes}");
    }
}
